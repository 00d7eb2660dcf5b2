"""Both vendors in one source: the lines that edits touch stand twice, the AMD ones behind `__HIP_PLATFORM_AMD__`."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.model import Edit, Span
from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Sequence

AMD = b"#if defined(__HIP_PLATFORM_AMD__)"
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)?")


@dataclass(slots=True)
class _Region:
    """Whole logical lines `first` to `last` (half-open), and the edits in them; no line for an inserted one."""

    first: int
    last: int
    edits: list[Edit]


class _Lines:
    """The logical lines of a file: comments and spliced lines never end one."""

    def __init__(self, data: bytes) -> None:
        code = lex(data).code
        self.starts = [0, *(match.end() for match in re.finditer(rb"\n", code))]
        self.texts = [code[a:b] for a, b in zip(self.starts, [*self.starts[1:], len(code)], strict=True)]
        if not self.texts[-1] and len(self.texts) > 1:  # the file ends in a line end
            self.texts.pop()
            self.starts.pop()
        self.size = len(data)
        self.open = self._open()

    def _open(self) -> list[int]:
        """How many round and square brackets are open where each line starts; directives open none."""
        depths = [0]
        for text in self.texts:
            depth = depths[-1]
            if not text.lstrip().startswith(b"#"):
                depth += text.count(b"(") + text.count(b"[") - text.count(b")") - text.count(b"]")
            depths.append(max(depth, 0))
        return depths

    def at(self, offset: int) -> int:
        """The line that holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def start(self, line: int) -> int:
        """Where a line starts; the file's end after the last."""
        return self.starts[line] if line < len(self.starts) else self.size

    def balanced(self, first: int, last: int) -> bool:
        """Whether lines `first` to `last` hold whole `#if` blocks alone."""
        depth = 0
        for text in self.texts[first:last]:
            match = _DIRECTIVE.match(text)
            word = match.group(1) if match else None
            if word in {b"if", b"ifdef", b"ifndef"}:
                depth += 1
            elif word in {b"elif", b"else"} and depth == 0:
                return False
            elif word == b"endif":
                depth -= 1
                if depth < 0:
                    return False
        return depth == 0


def guarded(data: bytes, edits: Sequence[Edit]) -> list[Edit]:
    """The edits of one file (in order, none overlapping) as edits that keep the old lines for the other vendor.

    A region grows until it holds whole statements as far as brackets tell, and whole `#if` blocks; at worst it is the
    file.
    """
    if not edits:
        return []
    lines = _Lines(data)
    regions: list[_Region] = []
    for edit in edits:
        region = _grown(lines, _touched(lines, edit))
        while regions and region.first < region.last and regions[-1].last >= region.first:
            before = regions.pop()
            joined = _Region(
                min(before.first, region.first), max(before.last, region.last), before.edits + region.edits
            )
            region = _grown(lines, joined)
        regions.append(region)
    return [_block(data, lines, region) for region in regions]


def _touched(lines: _Lines, edit: Edit) -> _Region:
    start, end = edit.span.start, edit.span.end
    first = lines.at(start)
    if start == end == lines.start(first) and edit.text.endswith(b"\n"):  # whole lines before this one
        return _Region(first, first, [edit])
    if start == end == lines.size:
        return _Region(first, first + 1, [edit])
    return _Region(first, lines.at(max(start, end - 1)) + 1, [edit])


def _grown(lines: _Lines, region: _Region) -> _Region:
    first, last = region.first, region.last
    if first == last and lines.open[first] == 0:
        return region
    last = max(last, first + 1)
    count = len(lines.texts)
    while True:
        while first > 0 and lines.open[first] > 0:
            first -= 1
        while last < count and lines.open[last] > 0:
            last += 1
        if lines.balanced(first, last) or (first == 0 and last == count):
            return _Region(first, last, region.edits)
        first, last = max(first - 1, 0), min(last + 1, count)


def _block(data: bytes, lines: _Lines, region: _Region) -> Edit:
    path = region.edits[0].span.path
    start, end = lines.start(region.first), lines.start(region.last)
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    parts: list[bytes] = []
    at = start
    for edit in region.edits:
        parts += (data[at : edit.span.start], edit.text)
        at = edit.span.end
    amd = _ended(b"".join((*parts, data[at:end])), newline)
    cuda = _ended(data[start:end], newline)
    other = b"#else" + newline + cuda if cuda else b""
    return Edit(Span(path, start, end), AMD + newline + amd + other + b"#endif" + newline)


def _ended(text: bytes, newline: bytes) -> bytes:
    return text + newline if text and not text.endswith(b"\n") else text
