"""What the operator of a block's reduction or scan does, and what changes nothing in it."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.unit import Unit


class Kind(str, Enum):
    """An operator by what it does."""

    SUM = "+"
    PRODUCT = "*"
    MAX = "max"
    MIN = "min"
    OR = "|"
    AND = "&"
    XOR = "^"
    ANY = "||"
    ALL = "&&"
    UNKNOWN = ""

    def element(self, value: str) -> str:
        """The neutral element, of the type of a value."""
        type_ = f"__remove_cvref(decltype({value}))"
        if self in (Kind.MAX, Kind.MIN):
            return f"hipport::{'lowest' if self is Kind.MAX else 'highest'}<{type_}>()"
        if self is Kind.AND:
            return f"static_cast<{type_}>(~static_cast<{type_}>(0))"
        return f"static_cast<{type_}>({int(self in (Kind.PRODUCT, Kind.ALL))})"


_LIBRARY = {
    "plus": Kind.SUM, "Sum": Kind.SUM, "multiplies": Kind.PRODUCT,
    "Max": Kind.MAX, "maximum": Kind.MAX, "Min": Kind.MIN, "minimum": Kind.MIN,
    "bit_or": Kind.OR, "bit_and": Kind.AND, "bit_xor": Kind.XOR,
    "logical_or": Kind.ANY, "logical_and": Kind.ALL,
}  # fmt: skip
_OF_LIBRARY = re.compile(
    r"(?:::)?(?:(?:hip)?cub|thrust|std|cuda(?:::std)?)::(\w+)(?:<[\w:\s]*>)?\s*(?:\(\s*\)|\{\s*\})"
)
_OWN = re.compile(r"(?:\w+::)*(\w+)\s*(?:<[\w:\s]*>)?\s*(?:\(\s*\)|\{\s*\})")
_LAMBDA = re.compile(r"\[[^\]]*\]\s*(?:__device__\s*)?\(([^()]*)\)\s*(?:->\s*[\w:]+\s*)?\{\s*return\s+([^;{}]*);\s*\}")
_CALLED = r"operator\s*\(\s*\)\s*\(([^()]*)\)\s*(?:const\s*)?(?:noexcept\s*)?\{\s*return\s+([^;{}]*);\s*\}"


def meant(unit: Unit, written: str) -> Kind:
    """What an operator does, as far as its name, or its definition in this file, tells."""
    written = written.strip()
    known = _OF_LIBRARY.fullmatch(written)
    if known:
        return _LIBRARY.get(known[1], Kind.UNKNOWN)
    made = _LAMBDA.fullmatch(written)
    if made:
        return _of_expression(made[1], made[2])
    own = _OWN.fullmatch(written)
    if own is None:
        return Kind.UNKNOWN
    code = unit.text.code
    found = list(re.finditer(rb"\b(?:struct|class)\s+" + own[1].encode() + rb"\s*(?:final\s*)?\{", code))
    if len(found) != 1:
        return Kind.UNKNOWN
    body = code[found[0].end() : unit.text.close(found[0].end() - 1)].decode("utf-8", "replace")
    calls = re.findall(_CALLED, body)
    kinds = {_of_expression(*call) for call in calls} if body.count("operator") == len(calls) else set()
    return kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN


def _of_expression(parameters: str, expression: str) -> Kind:
    """What is made of two parameters."""
    names = [re.findall(r"\w+", one)[-1] for one in parameters.split(",") if re.search(r"\w", one)]
    if len(names) != 2:
        return Kind.UNKNOWN
    a, b = (re.escape(name) for name in names)
    said = re.sub(r"\s+", "", expression)
    said = re.sub(rf"\(({a}|{b}|(?:{a}|{b})[<>]=?(?:{a}|{b}))\)(?=[?:<>]|\Z)", r"\1", said)
    if re.fullmatch(rf"(?:(?:std|cuda|::)*::)?f?(max|min)[fl]?(?:<\w+>)?\((?:{a},{b}|{b},{a})\)", said):
        return Kind.MAX if "max" in said.partition("(")[0] else Kind.MIN
    picked = re.fullmatch(rf"({a}|{b})([<>])=?({a}|{b})\?({a}|{b}):({a}|{b})", said)
    if picked:
        left, sign, right, yes, no = picked.groups()
        if left == right or {yes, no} != {left, right}:
            return Kind.UNKNOWN
        return Kind.MAX if (sign == ">") == (yes == left) else Kind.MIN
    plain = re.fullmatch(rf"(?:{a}(\+|\*|\|\|?|&&?|\^){b}|{b}(\+|\*|\|\|?|&&?|\^){a})", said)
    return Kind(plain[1] or plain[2]) if plain else Kind.UNKNOWN
