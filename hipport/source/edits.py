"""Findings -> new bytes: all edits of a finding or none; what overlaps is skipped and named."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hipport.model import Basis, SkippedFinding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hipport.model import Edit, Finding


class Placed(NamedTuple):
    """One applied edit: bytes `start` to `end` of the input became bytes `out_start` to `out_end` of the output."""

    start: int
    end: int
    out_start: int
    out_end: int


class Applied(NamedTuple):
    """The new bytes, where they came from, and which findings they carry."""

    result: bytes
    placed: tuple[Placed, ...]
    applied: tuple[Finding, ...]
    skipped: tuple[SkippedFinding, ...]


Renderer: TypeAlias = "Callable[[bytes, Sequence[Edit]], Sequence[Edit]]"


def plain(data: bytes, edits: Sequence[Edit]) -> Sequence[Edit]:
    """The edits as they are: the renderer of `--style hip`."""
    del data
    return edits


def apply(data: bytes, findings: Iterable[Finding], render: Renderer = plain) -> Applied:
    """Apply the edits of `findings` to `data`.

    A finding decided on the syntax tree goes before a lexical one, then the earlier in the file; of two findings whose
    edits touch the same bytes the second is skipped. Findings without edits pass through in neither list.
    """
    chosen: dict[tuple[int, int, bytes], Edit] = {}
    taken = _Taken()
    applied: list[Finding] = []
    skipped: list[SkippedFinding] = []
    for finding in sorted((f for f in findings if f.edits), key=_priority):
        edits = [edit for edit in finding.edits if not _shared(edit, chosen)]
        clash = next((other for edit in edits if (other := taken.by(edit)) is not None), None)
        if clash is not None:
            skipped.append(SkippedFinding(finding, f"overlaps `{clash.rule}` at byte {clash.span.start}"))
            continue
        applied.append(finding)
        for edit in edits:
            taken.add(edit, finding)
            chosen.setdefault((edit.span.start, edit.span.end, edit.text), edit)
    result, placed = _splice(data, render(data, taken.ordered()))
    skipped.sort(key=lambda item: _place(item.finding))
    return Applied(result, placed, tuple(sorted(applied, key=_place)), tuple(skipped))


def _priority(finding: Finding) -> tuple[bool, int, int, str]:
    return (finding.basis is not Basis.AST, *_place(finding))


def _place(finding: Finding) -> tuple[int, int, str]:
    return finding.span.start, finding.span.end, finding.rule


def _shared(edit: Edit, chosen: dict[tuple[int, int, bytes], Edit]) -> bool:
    """Whether another finding asks for the same edit: a replacement, or an inserted line such as an include."""
    same = (edit.span.start, edit.span.end, edit.text) in chosen
    return same and (edit.span.start < edit.span.end or edit.text.endswith(b"\n"))


class _Taken:
    """The edits accepted so far, by place; insertions at one place keep the order in which they came."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._edits: list[tuple[Edit, Finding]] = []
        self._end = 0

    def by(self, edit: Edit) -> Finding | None:
        """The finding that owns bytes which `edit` would change, if any."""
        start, end = edit.span.start, edit.span.end
        if start >= self._end:  # past all of them, as edits mostly come
            return None
        at = bisect_left(self._starts, max(start, end))
        while at > 0:
            at -= 1
            other, owner = self._edits[at]
            if _overlap(start, end, other.span.start, other.span.end):
                return owner
            if other.span.start < other.span.end <= start:  # what is before ends before
                return None
        return None

    def add(self, edit: Edit, finding: Finding) -> None:
        start, end = edit.span.start, edit.span.end
        if start >= self._end and (start < end or start > self._end):
            self._starts.append(start)
            self._edits.append((edit, finding))
            self._end = end
            return
        self._end = max(self._end, end)
        at = bisect_right(self._starts, start)
        if start == end:  # an insertion goes before what replaces the bytes at its place
            while at > 0 and self._starts[at - 1] == start and self._edits[at - 1][0].span.end > start:
                at -= 1
        self._starts.insert(at, start)
        self._edits.insert(at, (edit, finding))

    def ordered(self) -> list[Edit]:
        return [edit for edit, _ in self._edits]


def _overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two half-open spans share a byte, or one inserts inside the other; edits that touch do not clash."""
    if start == end:
        return other_start < start < other_end
    if other_start == other_end:
        return start < other_start < end
    return start < other_end and other_start < end


def _splice(data: bytes, edits: Sequence[Edit]) -> tuple[bytes, tuple[Placed, ...]]:
    parts: list[bytes] = []
    placed: list[Placed] = []
    at = out = 0
    for edit in edits:
        start, end = edit.span.start, edit.span.end
        parts += (data[at:start], edit.text)
        out += start - at
        placed.append(Placed(start, end, out, out + len(edit.text)))
        out += len(edit.text)
        at = end
    parts.append(data[at:])
    return b"".join(parts), tuple(placed)
