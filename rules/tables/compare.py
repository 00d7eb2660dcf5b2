"""What differs between a CUDA declaration and the HIP one that its rule names: arity, types, values, fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headers import Declaration

_WORD = re.compile(r"[A-Za-z_]\w*")
_TAG = re.compile(r"\b(?:struct|enum|union|class) ")
_VECTOR = re.compile(r"HIP_vector_type<(unsigned )?(\w+), (\d)>")
_NUMBER = re.compile(r"\(?\s*(-?)\s*\(?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?\s*\)?")
# bits of the arithmetic types: a by-value argument may become as wide or wider
WIDTH = {
    "bool": 1, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
    "unsigned int": 32, "long": 64, "unsigned long": 64, "long long": 64, "unsigned long long": 64, "size_t": 64,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload: `defaults` is how many of the last parameters may be left out."""

    result: str
    parameters: tuple[str, ...]
    defaults: int
    template: bool


def difference(cuda: Declaration, hip: Declaration, renamed: Mapping[str, str], aliases: Mapping[str, str]) -> str:
    """What a caller would notice, in a few words; empty if nothing.

    `renamed` maps CUDA type names to HIP ones, `aliases` HIP's typedefs to what they stand for.
    """
    if cuda.kind == hip.kind == "function":
        return _calls(cuda, hip, renamed, aliases)
    if {cuda.kind, hip.kind} <= {"constant", "macro"}:
        return _values(cuda.text, hip.text)
    if cuda.kind == hip.kind == "type" and cuda.text.startswith("{") and hip.text.startswith("{"):
        return _fields(cuda.text, hip.text, renamed)
    return ""


def _values(cuda: str, hip: str) -> str:
    one, two = number(cuda), number(hip)
    return f"the value is {two}, CUDA's is {one}" if one is not None and two is not None and one != two else ""


def number(text: str) -> int | None:
    """The value of an integer literal in a macro or enumerator."""
    match = _NUMBER.fullmatch(text.strip())
    return int(match[1] + match[2], 16 if match[2][:2] in {"0x", "0X"} else 10) if match else None


def _fields(cuda: str, hip: str, renamed: Mapping[str, str]) -> str:
    theirs = hip.strip("{}").split()
    missing = [
        field
        for field in cuda.strip("{}").split()
        if renamed.get(field, field) not in theirs and not field.startswith(("reserved", "__", "dummy"))
    ]
    return f"HIP's has no field {', '.join(missing)}" if missing else ""


def _calls(cuda: Declaration, hip: Declaration, renamed: Mapping[str, str], aliases: Mapping[str, str]) -> str:
    through = {name: aliases.get(to, to) for name, to in renamed.items()} | dict(aliases)
    wanted = _readings(cuda, renamed, through)
    offered = _readings(hip, {}, aliases)
    plain = [reading for reading in wanted if not reading[0].template] or wanted
    problems = []
    for want in plain:
        answers = [mismatch(want, offer) for offer in offered]
        if "" in answers or any(offer[0].template for offer in offered):
            continue
        problems.append(min(answers, key=len))
    if not problems:
        return ""
    return problems[0] if len(plain) == 1 else f"{len(problems)} of {len(plain)} overloads: {problems[0]}"


def _readings(
    item: Declaration, renamed: Mapping[str, str], through: Mapping[str, str]
) -> list[tuple[Signature, Signature, Signature]]:
    """Each overload as written, with the compiler's typedefs resolved, and with HIP's typedefs resolved."""
    resolved = signatures(item.canonical or item.text, renamed)
    return list(zip(signatures(item.text, renamed), resolved, signatures(item.text, through), strict=True))


def signatures(text: str, renamed: Mapping[str, str]) -> list[Signature]:
    """The overloads in the text of a declaration, with CUDA's type names renamed."""
    found = []
    for part in text.split(" | "):
        template = part.startswith("template ")
        head, _, tail = part.removeprefix("template ").partition(" (")
        parameters = [_plain(p, renamed) for p in split_parameters(tail[:-1])]
        defaults = sum(p.endswith("=") for p in parameters)
        parameters = [p.removesuffix("=").strip() for p in parameters]
        found.append(Signature(_plain(head, renamed), tuple(parameters), defaults, template))
    return found


def split_parameters(text: str) -> list[str]:
    """Split at the commas outside any bracket."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "(<[") - (char in ")>]")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _plain(text: str, renamed: Mapping[str, str]) -> str:
    text = _VECTOR.sub(lambda m: ("u" if m[1] else "") + m[2] + m[3], text)
    text = _WORD.sub(lambda m: renamed.get(m[0], m[0]), _TAG.sub("", text))
    text = re.sub(r"\s*\[\d*\]", " *", text)
    text = re.sub(r"\s+", " ", text.replace("*", " * ").replace("&", " & ")).strip()
    text = text.removesuffix(" const").strip()
    return text if "*" in text or "&" in text else text.removeprefix("const ")


def mismatch(want: tuple[Signature, ...], offer: tuple[Signature, ...]) -> str:
    """What is wrong with calling `offer` as one called `want`; any reading of a type that fits will do."""
    mine, theirs = want[0].parameters, offer[0].parameters
    if theirs and theirs[-1] == "...":
        return ""
    if len(mine) < len(theirs) - offer[0].defaults or len(mine) > len(theirs):
        return f"it takes {_arguments(len(theirs))}, CUDA's {len(mine)}"
    least = len(mine) - want[0].defaults
    if least < len(theirs) - offer[0].defaults:
        return f"argument {least + 1} has no default"
    for at, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if not any(fits(x.parameters[at], y.parameters[at]) for x, y in zip(want, offer, strict=True)):
            return f"argument {at + 1} is `{b}`, CUDA's is `{a}`"
    if not any(x.result == y.result for x, y in zip(want, offer, strict=True)):
        a, b = want[0].result, offer[0].result
        return "" if b in WIDTH or "*" in a else f"it returns `{b}`, CUDA's `{a}`"
    return ""


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


def fits(have: str, want: str) -> bool:
    """Whether an argument of type `have` may stand for a parameter of type `want` with nothing lost."""
    if have == want or have.endswith("&&"):
        return True
    if have.endswith("*") and want in {"void *", "const void *"}:
        return want == "const void *" or not have.startswith("const ")
    if want.endswith("*") and have.endswith("*") and want.replace("const ", "") == have:
        return True
    return have in WIDTH and want in WIDTH and WIDTH[want] >= WIDTH[have]
