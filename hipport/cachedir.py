"""The cache folder: where it lies, what is in it, and what goes when nobody has used it for long."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VARIABLE = "HIPPORT_CACHE"
KEPT = "verified"  # what `hipport verify` proved: `hipport port` shows it, nothing makes it again
# folders that go as a whole; elsewhere each file is an entry of its own
_WHOLE = (
    "torch-*", "zig-tools-*", "extension/builds/*", "extension/include-*", "hip-on-nvidia/*", "runtime/*", "slices/*",
    "ports/*",
)  # fmt: skip
_DAY = 86_400.0  # seconds
_UNUSED = 60  # days after which an entry goes by itself


def root() -> Path:
    """The cache folder: $HIPPORT_CACHE (`off`: a folder of this process), else `hipport` in the user's cache.

    Everything in it but KEPT is made again when it is gone.
    """
    from pathlib import Path

    own = os.environ.get(VARIABLE, "")
    if own == "off":
        return _scratch()
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hipport"


def writable() -> Path | None:
    """The cache folder where there is one that can be written, made if need be; None for `off`."""
    if os.environ.get(VARIABLE) == "off":
        return None
    folder = root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_made: list[Path] = []


def _scratch() -> Path:
    if not _made:
        import atexit
        import shutil
        import tempfile
        from pathlib import Path

        _made.append(Path(tempfile.mkdtemp(prefix="hipport-")))
        atexit.register(shutil.rmtree, _made[0], ignore_errors=True)
    return _made[0]


class Entry(NamedTuple):
    """One thing that goes as a whole: its path, kind (the first part of its path), bytes and last use (Unix time)."""

    path: Path
    kind: str
    size: int
    used: float


def entries(folder: Path) -> Iterator[Entry]:
    """What a cache folder holds, KEPT and locks aside; what vanishes meanwhile is left out."""
    yield from _entries(folder, folder)


def _entries(folder: Path, below: Path) -> Iterator[Entry]:
    from fnmatch import fnmatchcase

    for path in _listed(below):
        name = path.relative_to(folder).as_posix()
        kind = "prelude" if name.startswith("prelude-") else name.partition("/")[0]
        if name == KEPT or path.suffix == ".lock":
            continue
        if not path.is_dir() or path.is_symlink():
            files = [path]
        elif any(fnmatchcase(name, one) for one in _WHOLE):
            files = [inner for inner in path.rglob("*") if not inner.is_dir()]
        else:
            yield from _entries(folder, path)
            continue
        found = [info for one in (path, *files) if (info := _info(one)) is not None]
        if found:
            size = sum(info.st_size for info in found[1:])
            yield Entry(path, kind, size, max(max(info.st_atime, info.st_mtime) for info in found[1:] or found))


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _info(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None


def prune(folder: Path, days: float) -> tuple[Entry, ...]:
    """Remove what nobody has used for `days`; the entries that are gone."""
    import shutil

    before = time.time() - days * _DAY
    gone = []
    for entry in entries(folder):
        if entry.used > before:
            continue
        try:
            if entry.path.is_dir() and not entry.path.is_symlink():
                shutil.rmtree(entry.path)
            else:
                entry.path.unlink()
        except OSError:  # another process has it, or took it
            continue
        gone.append(entry)
    return tuple(gone)


def tidy() -> None:
    """Once a day, where something new was made: remove what nobody has used for 60 days."""
    folder = writable()
    if folder is None:
        return
    stamp = folder / ".tidied.lock"
    info = _info(stamp)
    if info is not None and time.time() - info.st_mtime < _DAY:
        return
    try:
        stamp.touch()
    except OSError:
        return
    prune(folder, _UNUSED)
