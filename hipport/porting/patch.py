"""A unified diff straight from the edits: its cost grows with the file, not with the number of changed lines."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.source.sourcemap import MappedEdit

CONTEXT = 3
_NO_END = b"\n\\ No newline at end of file\n"


@dataclass(slots=True)
class _Change:
    """Lines of the input replaced by lines of the output, half-open, from 0."""

    start: int
    end: int
    out_start: int
    out_end: int


def file_patch(path: str, target: str, data: bytes, result: bytes, edits: Sequence[MappedEdit]) -> bytes:
    """The diff of one file in git's form, renames included."""
    head = b"diff --git %s %s\n" % (_quoted("a/" + path), _quoted("b/" + target))
    if path != target:
        head += b"rename from %s\nrename to %s\n" % (_quoted(path), _quoted(target))
    hunks = _hunks(_lines(data), _lines(result), edits)
    if not hunks:
        return head
    return head + b"--- %s\n+++ %s\n" % (_quoted("a/" + path), _quoted("b/" + target)) + hunks


def generated_patch(path: str, data: bytes, result: bytes) -> bytes:
    """The diff of a whole file; `data` is empty where the file is new."""
    old, new = _lines(data), _lines(result)
    name = _quoted("b/" + path)
    head = b"diff --git %s %s\n" % (_quoted("a/" + path), name)
    before = _quoted("a/" + path) if data else b"/dev/null"
    head += b"" if data else b"new file mode 100644\n"
    head += b"--- %s\n+++ %s\n" % (before, name)
    ranges = b"@@ -%d,%d +1,%d @@\n" % (1 if old else 0, len(old), len(new))
    lines = [*(b"-" + line for line in old), *(b"+" + line for line in new)]
    return head + ranges + b"".join(line if line.endswith(b"\n") else line + _NO_END for line in lines)


def _lines(data: bytes) -> list[bytes]:
    """The lines with their LF; a lone CR or a form feed ends none."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _hunks(old: list[bytes], new: list[bytes], edits: Sequence[MappedEdit]) -> bytes:
    changes = _changes(old, new, edits)
    groups: list[list[_Change]] = []
    for change in changes:
        if groups and change.start - groups[-1][-1].end <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return b"".join(_hunk(old, new, group) for group in groups)


def _starts(lines: list[bytes]) -> list[int]:
    """Where each line starts, and where one after the last would: not so after a line without an end."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts if not lines or lines[-1].endswith(b"\n") else starts[:-1]


def _changes(old: list[bytes], new: list[bytes], edits: Sequence[MappedEdit]) -> list[_Change]:
    """The changed line ranges, those that touch joined."""
    old_starts, new_starts = _starts(old), _starts(new)
    changes: list[_Change] = []
    for start, end, out_start, out_end, *_ in edits:
        change = _Change(*_span(old_starts, start, end, len(old)), *_span(new_starts, out_start, out_end, len(new)))
        last = changes[-1] if changes else None
        if last is not None and (change.start < last.end or change.out_start < last.out_end):
            last.end, last.out_end = max(last.end, change.end), max(last.out_end, change.out_end)
        else:
            changes.append(change)
    trimmed = (_trimmed(old, new, change) for change in changes)
    return [change for change in trimmed if change.start < change.end or change.out_start < change.out_end]


def _trimmed(old: list[bytes], new: list[bytes], change: _Change) -> _Change:
    """The change without the lines at its ends that are the same on both sides."""
    start, end, out_start, out_end = change.start, change.end, change.out_start, change.out_end
    while start < end and out_start < out_end and old[start] == new[out_start]:
        start, out_start = start + 1, out_start + 1
    while start < end and out_start < out_end and old[end - 1] == new[out_end - 1]:
        end, out_end = end - 1, out_end - 1
    return _Change(start, end, out_start, out_end)


def _span(starts: list[int], start: int, end: int, count: int) -> tuple[int, int]:
    """The lines that hold bytes `start` to `end`, and the line where an insertion stands."""
    first = min(bisect_right(starts, start) - 1, count)
    return first, min(bisect_right(starts, end), count)


def _hunk(old: list[bytes], new: list[bytes], group: list[_Change]) -> bytes:
    before = min(CONTEXT, group[0].start, group[0].out_start)
    start, out_start = group[0].start - before, group[0].out_start - before
    end = min(group[-1].end + CONTEXT, len(old))
    body = [b" " + line for line in old[start : group[0].start]]
    at = group[0].start
    for change in group:
        body += [b" " + line for line in old[at : change.start]]
        body += [b"-" + line for line in old[change.start : change.end]]
        body += [b"+" + line for line in new[change.out_start : change.out_end]]
        at = change.end
    body += [b" " + line for line in old[at:end]]
    out_end = group[-1].out_end + end - group[-1].end
    text = b"".join(line if line.endswith(b"\n") else line + _NO_END for line in body)
    return b"@@ -%s +%s @@\n" % (_range(start, end), _range(out_start, out_end)) + text


def _range(start: int, end: int) -> bytes:
    count = end - start
    return b"%d,%d" % (start + 1 if count else start, count)


def _quoted(path: str) -> bytes:
    """A path as git writes it: in quotes with octal escapes where it holds control characters or quotes."""
    raw = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in raw):
        return raw
    plain = {9: b"\\t", 10: b"\\n", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}
    return b'"' + b"".join(plain.get(b) or (bytes([b]) if 32 <= b < 127 else b"\\%03o" % b) for b in raw) + b'"'
