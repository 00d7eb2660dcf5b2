"""Which lines of which files a diff adds or changes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from hipport.source import git

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|["\\abfnrtv])')
_NAMED = {
    b'"': b'"',
    b"\\": b"\\",
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}


def changed_lines(folder: Path, base: str, *, staged: bool) -> Mapping[str, tuple[range, ...]]:
    """Path relative to `folder` -> the lines (from 1) that differ from `base` (by default the last commit).

    With `staged`, what the index holds; without, what the work tree holds, untracked files included;
    of a file that is new, all.
    """
    lines = dict(parse(git.diff(folder, base or ("" if staged else "HEAD"), staged=staged)))
    if not staged:
        everything = (range(1, 1 << 62),)
        lines.update(dict.fromkeys(git.untracked(folder), everything))
    return lines


def parse(diff: bytes) -> Mapping[str, tuple[range, ...]]:
    """The added lines of a diff without context; where lines are only removed, the one before and the one after."""
    found: dict[str, list[range]] = {}
    current: list[range] | None = None
    left = 0  # lines of the hunk's body that are still to come: they may look like headers
    for line in diff.split(b"\n"):
        if left and line[:1] in {b"+", b"-"}:
            left -= 1
        elif line.startswith(b"+++ "):
            name = _path(line[4:])
            current = found.setdefault(name, []) if name else None
        elif (hunk := _HUNK.match(line)) and current is not None:
            start, count = int(hunk[1]), int(hunk[2] or 1)
            current.append(range(start, start + count) if count else range(max(1, start), start + 2))
            removed = line.split(b" ")[1]
            left = count + (int(removed.split(b",")[1]) if b"," in removed else 1)
    return {name: tuple(ranges) for name, ranges in found.items()}


def _path(field: bytes) -> str:
    """The path that a `+++` line names; empty for /dev/null. git quotes names with control characters as C does."""
    name = field.rstrip(b"\t")
    if name[:1] == b'"':
        name = _ESCAPE.sub(lambda m: _NAMED.get(m[1]) or bytes([int(m[1], 8)]), name[1:-1])
    return os.fsdecode(name[2:]) if name.startswith(b"b/") else ""
