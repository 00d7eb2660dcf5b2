"""Byte offsets to lines and columns, for what a person reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE_END = re.compile(rb"\r\n|\n|\r")


class Position(NamedTuple):
    """A place as editors show it: both count from 1, the column in characters (bytes where the file is not UTF-8)."""

    line: int
    column: int


class LineIndex:
    """The lines of one file; LF, CRLF and CR end a line."""

    __slots__ = ("_data", "_starts")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(data))]

    def position(self, offset: int) -> Position:
        """The line and column of a byte offset."""
        line = bisect_right(self._starts, offset)
        return Position(line, len(_text(self._data[self._starts[line - 1] : offset])) + 1)

    def text(self, line: int) -> str:
        """The text of a line (from 1), without its end; empty past the file's end."""
        if line > len(self._starts):
            return ""
        end = self._starts[line] if line < len(self._starts) else len(self._data)
        return _text(self._data[self._starts[line - 1] : end].rstrip(b"\r\n"))

    def __len__(self) -> int:
        return len(self._starts)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
