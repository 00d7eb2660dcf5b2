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
VENDOR_HEADER = b"hipport_vendor.h"
_CONDITION = re.compile(rb"([ \t]*#[ \t]*)(if|ifdef|ifndef|elif)\b")
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
    file. Edits that mean the same to both vendors stand outside of regions: the include of the vendor header, and
    conditions, which ask for the vendor themselves.
    """
    edits = [edit for edit in edits if edit.text != data[edit.span.start : edit.span.end]]  # the vendor header's
    if not edits:
        return []
    lines = _Lines(data)
    neutral, others = _neutral(data, lines, edits)
    regions: list[_Region] = []
    for edit in others:
        region = _grown(lines, _touched(lines, edit))
        while regions and region.first < region.last and regions[-1].last >= region.first:
            before = regions.pop()
            joined = _Region(
                min(before.first, region.first), max(before.last, region.last), before.edits + region.edits
            )
            region = _grown(lines, joined)
        regions.append(region)
    out: list[Edit] = []
    for region in regions:
        start, end = lines.start(region.first), lines.start(region.last)
        inside = [e for e in neutral if start <= e.span.start < end]
        neutral = [e for e in neutral if e not in inside]
        out.append(_block(data, lines, region, inside))
    return sorted((*neutral, *out), key=lambda e: (e.span.start, e.span.end))  # the vendor header before a shim


def _neutral(data: bytes, lines: _Lines, edits: Sequence[Edit]) -> tuple[list[Edit], list[Edit]]:
    """The edits that both vendors take, conditions as one edit a line; and the others."""
    neutral: list[Edit] = []
    others: list[Edit] = []
    conditions: dict[int, list[Edit]] = {}
    for edit in edits:
        line = lines.at(edit.span.start)
        if edit.span.start == edit.span.end and VENDOR_HEADER in edit.text:
            neutral.append(edit)
        elif edit.span.start < edit.span.end and _CONDITION.match(lines.texts[line]):
            conditions.setdefault(line, []).append(edit)
        else:
            others.append(edit)
    neutral += [_asked(data, lines, line, own) for line, own in conditions.items()]
    return neutral, others


def _asked(data: bytes, lines: _Lines, line: int, edits: Sequence[Edit]) -> Edit:
    """A condition that asks for the vendor: the new one for AMD, the old one for the other."""
    start = lines.start(line)
    code = lines.texts[line]
    end = start + len(code.rstrip())
    new, at = b"", start
    for edit in sorted(edits, key=lambda e: e.span.start):
        new += data[at : edit.span.start] + edit.text
        at = edit.span.end
    new += data[at:end]
    word, old_test = _test(data[start:end])
    _, new_test = _test(new)
    text = word + b" (defined(__HIP_PLATFORM_AMD__) && (" + new_test + b")) || (!defined(__HIP_PLATFORM_AMD__) && ("
    return Edit(Span(edits[0].span.path, start, end), text + old_test + b"))")


def _test(directive: bytes) -> tuple[bytes, bytes]:
    """A conditional directive as `#if` or `#elif`, and what it asks."""
    head, word, rest = _CONDITION.split(directive, maxsplit=1)[1:]
    rest = rest.strip()
    rest = re.sub(rb"\s*(?://.*|/\*.*\*/)\s*$", b"", rest, flags=re.DOTALL)
    if word in {b"ifdef", b"ifndef"}:
        return head + b"if", (b"!" if word == b"ifndef" else b"") + b"defined(" + rest + b")"
    return head + word, rest


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


def _block(data: bytes, lines: _Lines, region: _Region, neutral: Sequence[Edit]) -> Edit:
    path = region.edits[0].span.path
    start, end = lines.start(region.first), lines.start(region.last)
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    lead = b"".join(e.text for e in neutral if VENDOR_HEADER in e.text)
    both = [e for e in neutral if VENDOR_HEADER not in e.text]
    amd = _ended(_spliced(data, start, end, [*region.edits, *both]), newline)
    cuda = _ended(_spliced(data, start, end, both), newline)
    other = b"#else" + newline + cuda if cuda else b""
    return Edit(Span(path, start, end), lead + AMD + newline + amd + other + b"#endif" + newline)


def _spliced(data: bytes, start: int, end: int, edits: Sequence[Edit]) -> bytes:
    parts: list[bytes] = []
    at = start
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        parts += (data[at : edit.span.start], edit.text)
        at = edit.span.end
    return b"".join((*parts, data[at:end]))


def _ended(text: bytes, newline: bytes) -> bytes:
    return text + newline if text and not text.endswith(b"\n") else text
