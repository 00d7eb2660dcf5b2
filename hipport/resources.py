"""Finds rules/, shims/, templates/ and examples/ in an installed wheel or in a checkout."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """The folder `name`: `rules`, `shims`, `templates` or `examples`."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise HipportError(f"the package data folder `{name}` is missing", next_step="reinstall hipport")


def compiled(shipped: str, sources: Iterable[str], build: Callable[[], bytes]) -> bytes:
    """Data in a form that is quick to read: `shipped` of a wheel's rules/, or in a checkout built into .cache/.

    `sources` are the files that the built form depends on, asked for in a checkout alone: their names, sizes and times
    are its key.
    """
    folder = data_dir("rules")
    if folder.parent == _PACKAGE / "_data" and (folder / shipped).is_file():
        return (folder / shipped).read_bytes()
    stem, dot, suffix = shipped.rpartition(".")
    cached = folder.parent / ".cache" / f"{stem}-{_key(sources)}{dot}{suffix}"
    try:
        return cached.read_bytes()
    except OSError:
        data = build()
    _keep(cached, data, f"{stem}-*{dot}{suffix}")
    return data


def _key(sources: Iterable[str]) -> str:
    found = [(path, os.stat(path)) for path in sources]  # noqa: PTH116 - two milliseconds of every start less
    text = "".join(f"{path}\0{info.st_size}\0{info.st_mtime_ns}\n" for path, info in found)
    data = text.encode("utf-8", "surrogateescape")
    return f"{zlib.crc32(data):08x}{zlib.adler32(data):08x}"  # hashlib's import takes longer than all the rest


def _keep(path: Path, data: bytes, siblings: str) -> None:
    """Put `data` at `path` atomically, in the place of older ones; a folder that cannot be written only costs time."""
    import tempfile

    try:
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="compiled-")
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        for old in path.parent.glob(siblings):
            old.unlink(missing_ok=True)
        Path(name).replace(path)
    except OSError:
        return
