"""asm statements: their template, their operands with constraints, and whether the text is PTX."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.text import CodeText

_ASM = re.compile(rb"(?<!\w)(?:__asm__|__asm|asm)(?!\w)\s*((?:__volatile__|volatile|\\?\s)*)\(")
_STRING = re.compile(rb'R"(\w*)\(([\s\S]*?)\)\1"|"((?:\\[\s\S]|[^"\\])*)"')
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[ \t][^\n]*)?)$", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_OPERAND = re.compile(r'(?:\[(\w+)\]\s*)?"\s*([=+]?)\s*&?([^"]*)"\s*\((.*)\)\s*\Z', re.DOTALL)
_CONTINUED = re.compile(r"\\(?:\r?\n|\s*\Z)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", "0": " "}


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand: its constraint's letters without `=`, `+` and `&`, and the C expression that it is bound to."""

    name: str
    constraint: str
    text: str
    written: bool = False
    read: bool = True


@dataclass(frozen=True, slots=True)
class AsmStatement:
    """`asm(...)` at bytes `start` to `end`, past its `)`. `operands`: outputs, then inputs, as `%0`, `%1`, ... count.

    `readable` is false where a macro or something else hides a part of the template or of the operands.
    """

    start: int
    end: int
    template: str
    operands: tuple[Operand, ...]
    clobbers: tuple[str, ...]
    volatile: bool
    readable: bool = True

    @property
    def outputs(self) -> tuple[Operand, ...]:
        """The operands that are written."""
        return tuple(o for o in self.operands if o.written)

    @property
    def inputs(self) -> tuple[Operand, ...]:
        """The operands that are only read."""
        return tuple(o for o in self.operands if not o.written)


def statements(text: CodeText) -> Iterator[AsmStatement]:
    """The asm statements of a text, in order. Macros of the same file that are strings may be parts of a template."""
    strings = _strings(text)
    for match in _ASM.finditer(text.code):
        opening = match.end() - 1
        close = text.close(opening)
        if close < 0:
            continue
        parts = _colons(text.code, opening + 1, close)
        template, whole = _template(text, *parts[0], strings)
        operands: list[Operand] = []
        for a, b in parts[1:3]:
            found = _operands(text, a, b)
            whole = whole and found is not None
            operands += found or ()
        clobbers = tuple(_said(m).decode() for a, b in parts[3:4] for m in _STRING.finditer(text.data, a, b))
        volatile = b"volatile" in match.group(1)
        yield AsmStatement(match.start(), close + 1, template, tuple(operands), clobbers, volatile, whole)


def _strings(text: CodeText) -> Mapping[bytes, bytes]:
    """The object macros that are string literals, those with one value."""
    found: dict[bytes, set[bytes]] = {}
    for match in _DEFINED.finditer(text.data):
        body = match.group(2).strip()
        found.setdefault(match.group(1), set()).add(body)
    one = {name: next(iter(bodies)) for name, bodies in found.items() if len(bodies) == 1}
    return {name: body for name, body in one.items() if body and not _STRING.sub(b"", body).strip()}


def _template(text: CodeText, start: int, end: int, strings: Mapping[bytes, bytes]) -> tuple[str, bool]:
    """The template with its escapes resolved, and whether it consists of string literals alone."""
    literals = list(_STRING.finditer(text.data, start, end))
    code = bytearray(text.code[start:end])
    for m in literals:
        code[m.start() - start : m.end() - start] = b" " * (m.end() - m.start())
    pieces = [(m.start(), _resolved(m)) for m in literals]
    for word in _WORD.finditer(bytes(code)):
        body = strings.get(word.group())
        if body is None:
            continue
        pieces.append((start + word.start(), "".join(map(_resolved, _STRING.finditer(body)))))
        code[word.start() : word.end()] = b" " * len(word.group())
    whole = bool(pieces) and not re.sub(rb"[\\\s]", b"", bytes(code))
    return "".join(piece for _, piece in sorted(pieces)), whole


def _said(literal: re.Match[bytes]) -> bytes:
    """What stands in a string literal, escapes included."""
    return literal.group(2) if literal.group(3) is None else literal.group(3)


def _resolved(literal: re.Match[bytes]) -> str:
    """What a string literal means."""
    shown = _said(literal).decode("utf-8", "replace")
    if literal.group(3) is None:
        return shown
    joined = re.sub(r"\\\r?\n", "", shown)
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m.group(1), m.group(1)), joined)


def _colons(code: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges between the colons of an asm statement; `::` is two of them."""
    cuts, depth, at = [start - 1], 0, start
    while at < end:
        char = code[at : at + 1]
        if char in (b"(", b"[", b"{"):
            depth += 1
        elif char in (b")", b"]", b"}"):
            depth -= 1
        elif char == b":" and depth == 0:
            cuts.append(at)
        at += 1
    cuts.append(end)
    return [(a + 1, b) for a, b in itertools.pairwise(cuts)]


def _operands(text: CodeText, start: int, end: int) -> list[Operand] | None:
    """The operands of a list; None where one is hidden by a macro."""
    found: list[Operand] = []
    for a, b in text.arguments(start - 1, end):
        match = _OPERAND.match(_CONTINUED.sub(" ", text.data[a:b].decode("utf-8", "replace")))
        if match is None:
            return None
        name, sign, letters, _ = match.groups()
        close = text.code.rfind(b")", a, b)
        opening = text.code.find(b"(", a, b)
        shown = text.code[opening + 1 : close]
        if b'"' in shown or b"'" in shown:
            shown = text.data[opening + 1 : close]
        expression = " ".join(shown.replace(b"\\\n", b" ").replace(b"\\\r\n", b" ").decode("utf-8", "replace").split())
        found.append(Operand(name or "", letters.strip(), expression, bool(sign), sign != "="))
    return found
