"""Calls: where their arguments lie, and the rewrites that a rename needs (`hip_symbol:0`, `argument:2=0`, ...)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.renames.reading import Reading

_BRACKET = re.compile(rb"[()\[\]{},;]")
_PLACEHOLDER = re.compile(r"\{(\d+|\*)\}")
_EDGES = b" \t\r\n\f\v"

PartEdit = tuple[int, int, bytes]


@dataclass(frozen=True, slots=True)
class Call:
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
    parts: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(reading.code, position):
        sign = match[0]
        if sign in b"([{":
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
    for match in re.compile(rb"[<>()\[\]{};]").finditer(code, position, position + 4000):
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


def rewrite_call(reading: Reading, start: int, end: int, hip: bytes, action: str) -> tuple[PartEdit, ...] | None:
    """The edits of a renamed call and its `action`; None where the arguments cannot be found."""
    call = call_at(reading, end)
    if call is None:
        return None
    if action.startswith("replace:"):
        return _replaced(reading, start, call, action.removeprefix("replace:").encode())
    if action == "statement:":
        return _deleted_statement(reading, start, call)
    edits: list[PartEdit] = [(start, end, hip)] if hip != reading.code[start:end] else []
    for part in action.split():
        verb, _, detail = part.partition(":")
        made = _part(reading, call, verb, detail)
        if made is None:
            return None
        edits += made
    return tuple(edits)


def _part(reading: Reading, call: Call, verb: str, detail: str) -> list[PartEdit] | None:
    number, _, rest = detail.replace("=", ":", 1).partition(":")
    index = int(number)
    if verb == "argument":
        return _inserted(call, index, rest.encode())
    if index >= len(call.arguments):
        return None
    first, last = call.arguments[index]
    text = reading.source.data[first:last]
    if verb == "hip_symbol":
        if text.startswith((b"HIP_SYMBOL", b'"')):
            return []
        return [(first, first, b"HIP_SYMBOL("), (last, last, b")")]
    if verb == "cast":
        opening = b"(" + rest.encode() + b")("
        return [] if text.startswith(opening) else [(first, first, opening), (last, last, b")")]
    if verb == "drop_argument":
        if len(call.arguments) == 1:
            return [(first, last, b"")]
        if index:
            return [(call.arguments[index - 1][1], last, b"")]
        return [(first, call.arguments[1][0], b"")]
    return None


def _inserted(call: Call, index: int, text: bytes) -> list[PartEdit] | None:
    count = len(call.arguments)
    if index > count:
        return None
    if count == 0:
        return [(call.close, call.close, text)]
    if index == count:
        last = call.arguments[-1][1]
        return [(last, last, b", " + text)]
    first = call.arguments[index][0]
    return [(first, first, text + b", ")]


def _replaced(reading: Reading, start: int, call: Call, template: bytes) -> tuple[PartEdit, ...] | None:
    """A call written anew around its arguments, which stay where they are, so that edits inside them hold too."""
    pieces = _PLACEHOLDER.split(template.decode())
    literals = [piece.encode() for piece in pieces[::2]]
    ranges: list[tuple[int, int]] = []
    for name in pieces[1::2]:
        if name == "*":
            if not call.arguments:
                return None
            ranges.append((call.arguments[0][0], call.arguments[-1][1]))
        elif int(name) < len(call.arguments):
            ranges.append(call.arguments[int(name)])
        else:
            return None
    if all(a[1] <= b[0] for a, b in pairwise(ranges)):
        edits: list[PartEdit] = []
        at = start
        for literal, (first, last) in zip(literals, ranges, strict=False):
            edits.append((at, first, literal))
            at = last
        return (*edits, (at, call.close + 1, literals[-1]))
    text = literals[0]
    for literal, (first, last) in zip(literals[1:], ranges, strict=True):
        text += reading.source.data[first:last] + literal
    return ((start, call.close + 1, text),)


def _deleted_statement(reading: Reading, start: int, call: Call) -> tuple[PartEdit, ...] | None:
    end = reading.skip_blanks(call.close + 1)
    if reading.code[end] != 59 or reading.before(start)[-1:] not in (b";", b"{", b"}", b""):
        return None
    return ((start, end + 1, b""),)
