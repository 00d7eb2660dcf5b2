"""The bytes of a file with comments and literals blanked, and how brackets pair in them. Offsets stay."""

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_right
from dataclasses import dataclass, field

_LITERAL = re.compile(
    rb"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
    rb'|(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"'
    rb'|"(?:\\.|[^"\\\n])*"?'
    rb"|(?<![\w'])\.?\d(?:[eEpP][+-]|'?[\w.])*"  # a number: its ' is no quote
    rb"|'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
_NEWLINE = re.compile(rb"\n")
_VISIBLE = re.compile(rb"[^\r\n]")
_CLOSERS = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}  # ( [ {
_BRACKET = re.compile(rb"[()\[\]{}]")
_BRACKET_OR_COMMA = re.compile(rb"[()\[\]{},]")
_ANGLE = re.compile(rb"[()\[\]{}<>,;]")


def _blank(match: re.Match[bytes]) -> bytes:
    text = match.group()
    first = text[:1]
    if first.isdigit() or first == b".":
        return text
    if first == b"/":
        return _VISIBLE.sub(b" ", text)
    if len(text) < 2:
        return text
    return text[:1] + _VISIBLE.sub(b" ", text[1:-1]) + text[-1:]


def blank(data: bytes) -> bytes:
    """`data` with comments and the insides of literals turned into spaces; as long as before, line ends kept."""
    return _LITERAL.sub(_blank, data)


@dataclass(frozen=True, slots=True)
class CodeText:
    """A file's bytes and their blanked form, equally long."""

    path: str
    data: bytes
    code: bytes = field(repr=False)

    @staticmethod
    def of(path: str, data: bytes) -> CodeText:
        """The text of a file."""
        return _text(path, data)

    def close(self, start: int) -> int:
        """Where the bracket at `start` closes, or -1."""
        stack: list[int] = []
        for match in _BRACKET.finditer(self.code, start):
            char = self.code[match.start()]
            if char in _CLOSERS:
                stack.append(_CLOSERS[char])
            elif not stack or stack.pop() != char:
                return -1
            elif not stack:
                return match.start()
        return -1

    def arguments(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The comma-separated pieces between the brackets at `start` and `end`, stripped; none where it is empty.

        Commas inside template argument lists count as separators, as they do for the preprocessor.
        """
        cuts = [start]
        depth = 0
        for match in _BRACKET_OR_COMMA.finditer(self.code, start + 1, end):
            char = self.code[match.start()]
            if char == 0x2C:
                if depth == 0:
                    cuts.append(match.start())
            else:
                depth += 1 if char in _CLOSERS else -1
        cuts.append(end)
        pieces = tuple(self.strip(a + 1, b) for a, b in itertools.pairwise(cuts))
        return () if len(pieces) == 1 and pieces[0][0] == pieces[0][1] else pieces

    def strip(self, start: int, end: int) -> tuple[int, int]:
        """The range without white space (and blanked comments) at its ends."""
        piece = self.code[start:end]
        left = len(piece) - len(piece.lstrip())
        if left == len(piece):
            return start, start
        return start + left, end - (len(piece) - len(piece.rstrip()))

    def angles(self, start: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Where the `<` at `start` closes and its arguments; (-1, ()) where it is no template argument list."""
        depth, inner = 0, 0
        cuts = [start]
        for match in _ANGLE.finditer(self.code, start):
            char = self.code[match.start()]
            if char in _CLOSERS:
                inner += 1
            elif char in b")]}":
                if inner == 0:
                    return -1, ()
                inner -= 1
            elif inner:
                continue
            elif char == 0x3B:
                return -1, ()
            elif char == 0x3C:
                depth += 1
            elif char == 0x3E:
                depth -= 1
                if depth == 0:
                    cuts.append(match.start())
                    pieces = tuple(self.strip(a + 1, b) for a, b in itertools.pairwise(cuts))
                    return match.start(), pieces
            elif depth == 1:
                cuts.append(match.start())
        return -1, ()

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(_line_starts(self.data), offset)

    def word(self, start: int, end: int) -> str:
        """The text of a range, comments left out."""
        return self.code[start:end].decode("utf-8", "replace")


@functools.lru_cache(maxsize=16)
def _line_starts(data: bytes) -> list[int]:
    """Where the lines of a text begin."""
    return [0, *(match.end() for match in _NEWLINE.finditer(data))]


@functools.lru_cache(maxsize=512)
def _text(path: str, data: bytes) -> CodeText:
    """The text of a file; headers come up once for each file that includes them."""
    return CodeText(path, data, blank(data))
