"""Calls: where their arguments lie, and the rewrites that a rename needs (`hip_symbol:0`, `argument:2=0`, ...)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.patterns import pattern
from hipport.renames.occurrences import last_word

if TYPE_CHECKING:
    from hipport.renames.reading import Reading

_BRACKET = pattern(rb"[()\[\]{},;<]")
# what follows the list of a template's arguments, and no operand of a comparison
_AFTER_TEMPLATE = pattern(rb"\s*(?:[(),;}\]>{]|::)")
_UNSPACED = pattern(rb"\s+")
_ARITY = pattern(r"\barity:(\d+)-(\d+)")
_NAMED = pattern(r"\bnamed:(\d+)=(\w+)")
_TYPED = pattern(r"\btyped:(\d+):(\w+)=(\w+)")
_DIRECTIVE = pattern(rb"^[ \t]*#", re.MULTILINE)
_FAR = 2000  # no call is longer
_EDGES = b" \t\r\n\f\v"

PartEdit = tuple[int, int, bytes]


class Call(NamedTuple):
    """A call in code: its parentheses (`close` is the offset of `)`), and the trimmed byte range of each argument."""

    open: int
    close: int
    arguments: tuple[tuple[int, int], ...]


def call_at(reading: Reading, end: int) -> Call | None:
    """The call whose callee ends at `end`, template arguments skipped; None if there is none."""
    position = reading.skip_blanks(end)
    if reading.code[position] == 60:  # <
        closing = close_angle(reading.code, position)
        if closing < 0:
            return None
        position = reading.skip_blanks(closing)
    return parenthesis(reading, position) if reading.code[position] == 40 else None


def parenthesis(reading: Reading, position: int) -> Call | None:
    """The arguments of the parenthesis that opens at `position`; None where it does not close."""
    depth = 0
    begin = position + 1
    skip_to = position
    parts: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(reading.code, position):
        sign = match[0]
        if match.start() < skip_to:
            continue
        if sign == b"<":
            skip_to = _after_template(reading.code, match.start()) if depth == 1 else skip_to
        elif sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
            if depth == 0:
                parts.append(trimmed(reading.code, begin, match.start()))
                only_blank = len(parts) == 1 and parts[0][0] == parts[0][1]
                return Call(position, match.start(), () if only_blank else tuple(parts))
        elif depth == 1 and sign == b",":
            parts.append(trimmed(reading.code, begin, match.start()))
            begin = match.end()
        elif depth == 1:  # a semicolon: no call
            return None
    return None


def _after_template(code: bytes, position: int) -> int:
    """Where reading goes on after a `<`: behind the list of a template's arguments, or behind the sign."""
    name = last_word(code[max(0, position - 200) : position].rstrip(_EDGES))
    if not name or name.isdigit() or code[position : position + 2] in (b"<<", b"<="):
        return position + 1
    closing = close_angle(code, position)
    return closing if closing > 0 and _AFTER_TEMPLATE.match(code, closing) else position + 1


def trimmed(code: bytes, start: int, end: int) -> tuple[int, int]:
    """The range without blanks at its edges."""
    text = code[start:end]
    lead = len(text) - len(text.lstrip(_EDGES))
    size = len(text.strip(_EDGES))
    return start + lead, start + lead + size


def close_angle(code: bytes, position: int) -> int:
    """The offset after the `>` that closes the template list opened at `position`, or -1."""
    depth = 0
    round_ = 0
    for match in pattern(rb"[<>()\[\]{};]").finditer(code, position, position + 4000):
        sign = match[0]
        if sign in b"([":
            round_ += 1
        elif sign in b")]":
            round_ -= 1
            if round_ < 0:
                return -1
        elif sign in b"{};":
            return -1
        elif round_ == 0:
            if sign == b"<":
                depth += 1
            elif code[match.start() - 1] != 45:  # `->` closes nothing
                depth -= 1
                if depth == 0:
                    return match.end()
    return -1


def rewrite_call(reading: Reading, call: Call, action: str) -> tuple[PartEdit, ...] | None:
    """The edits that an `action` makes of the arguments of a call; None where it does not fit them."""
    edits: list[PartEdit] = []
    for part in action.split("; "):
        verb, _, detail = part.partition(":")
        if verb in ("by_name", "arity", "using", "typed"):  # judged elsewhere
            continue
        made = _part(reading, call, verb, detail)
        if made is None:
            return None
        edits += made
    return tuple(edits)


def fits(call: Call, action: str) -> bool | None:
    """Whether a call has as many arguments as HIP's function takes (`arity:1-2`); None if the action does not say."""
    match = _ARITY.search(action)
    if match is None:
        return None
    return int(match[1]) <= len(call.arguments) <= int(match[2])


def name_for(reading: Reading, call: Call, action: str, hip: bytes) -> bytes:
    """The function that a call becomes, by how many arguments it has or by the type of one.

    `named:2=NAME`; `typed:2:TYPE=NAME`, where argument 2 is a variable that the file declares with TYPE, or is in
    braces or begins with TYPE.
    """
    for match in _NAMED.finditer(action):
        if int(match[1]) == len(call.arguments):
            return match[2].encode()
    for match in _TYPED.finditer(action):
        if int(match[1]) < len(call.arguments) and _has_type(reading, call.arguments[int(match[1])], match[2].encode()):
            return match[3].encode()
    return hip


def _has_type(reading: Reading, argument: tuple[int, int], type_: bytes) -> bool:
    text = reading.code[slice(*argument)]
    if text.startswith((b"{", type_)):
        return True
    name = re.match(rb"\w+", text)
    if name is None:
        return False
    others = rb"(?:\w+(?:\s*=(?:[^;,(){}]|\([^;]*?\)|\{[^;]*?\})*|\s*\{[^;]*?\})?\s*,\s*)*"
    declared = rb"(?<!\w)%s(?!\w)\s*(?:const\s*)?&?\s*%s%s(?!\w)" % (type_, others, name[0])
    return re.search(declared, reading.code) is not None


def _part(reading: Reading, call: Call, verb: str, detail: str) -> list[PartEdit] | None:
    if verb == "named":
        return []
    if verb == "added":
        number, _, text = detail.partition("=")
        return _added(call, int(number), text.encode())
    if verb == "argument":
        number, _, text = detail.partition("=")
        if not reading.source.path.endswith(".c"):
            return []  # C++ has the default
        return _added(call, int(number), text.encode())
    number, _, rest = detail.partition(":")
    if int(number) >= len(call.arguments):
        return None
    first, last = call.arguments[int(number)]
    if _DIRECTIVE.search(reading.code, first, last):
        return None
    if verb == "hip_symbol":
        symbol = reading.source.data[first:last]
        return [] if symbol.startswith(b"HIP_SYMBOL") else _around(first, last, b"HIP_SYMBOL(")
    if verb == "wrap":
        return _around(first, last, f"{rest}(".encode())
    if verb == "reinterpret":
        written = reading.code[first:last]
        return [] if written == b"nullptr" or _casts(written, rest) else _around(first, last, _cast(rest))
    if verb == "dropped":
        return _dropped(call, int(number))
    if verb == "spelled":
        spellings = dict(pair.split("=", 1) for pair in rest.split(","))
        new = spellings.get(reading.code[first:last].decode("latin-1"))
        return [(first, last, new.encode())] if new is not None else []
    return None


def _around(first: int, last: int, opening: bytes) -> list[PartEdit]:
    return [(first, first, opening), (last, last, b")")]


def _cast(type_: str) -> bytes:
    return f"reinterpret_cast<{type_}>(".encode()


def _casts(text: bytes, type_: str) -> bool:
    """Whether an argument begins with a cast to a type, in any style."""
    wanted = _UNSPACED.sub(rb"", type_.encode()).removeprefix(b"const")
    bare = _UNSPACED.sub(rb"", text)
    styles = (b"(%s)", b"(const%s)", b"reinterpret_cast<%s>", b"reinterpret_cast<const%s>", b"static_cast<%s>")
    return bare.startswith(tuple(style % wanted for style in styles))


def _added(call: Call, index: int, text: bytes) -> list[PartEdit]:
    """One more argument for a call that has exactly `index` of them."""
    if len(call.arguments) != index:
        return []
    last = call.arguments[-1][1] if index else call.close
    return [(last, last, b", " + text if index else text)]


def _dropped(call: Call, index: int) -> list[PartEdit]:
    """An argument less, and one comma beside it."""
    first, last = call.arguments[index]
    if index:
        return [(call.arguments[index - 1][1], last, b"")]
    return [(first, call.arguments[1][0] if len(call.arguments) > 1 else last, b"")]


def enclosing_callee(reading: Reading, start: int, end: int) -> bytes:
    """The function that the code from `start` to `end` is a whole argument of, or nothing."""
    if reading.before(start)[-1:] not in (b"(", b",") or reading.code[reading.skip_blanks(end)] not in b",)":
        return b""
    code = reading.code
    depth = 0
    for index in range(start - 1, max(0, start - _FAR), -1):
        sign = code[index]
        if sign in b")]}":
            depth += 1
        elif sign in b"([{":
            depth -= 1
            if depth < 0:
                return last_word(code[max(0, index - 120) : index].rstrip(_EDGES)) if sign == 40 else b""
        elif sign == 59:
            return b""
    return b""
