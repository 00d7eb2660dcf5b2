"""Reading the files that share code with another; the same headers are asked for again and again."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from hipport.source import discover

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hipport.model import SourceFile


def read(root: Path | None, paths: Iterable[str]) -> list[SourceFile]:
    """Those files of a tree that can be read; none where there is no tree."""
    if root is None:
        return []
    return [found for path in paths if (found := _read(root, path)) is not None]


def _read(root: Path, path: str) -> SourceFile | None:
    try:
        info = (root / path).stat()
        return _read_as_of(root, path, info.st_mtime_ns, info.st_size)
    except OSError:
        return None


@functools.lru_cache(maxsize=256)
def _read_as_of(root: Path, path: str, modified: int, size: int) -> SourceFile:
    del modified, size
    return discover.read(root, path)
