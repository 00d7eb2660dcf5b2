"""Compiler messages about a port -> the CUDA source that the port was made from."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.source.sourcemap import MAP_PATH, SourceMap, load, origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.toolchain.diagnostics import Diagnostic


def with_origins(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics with the CUDA `file:line:column` where a port's map knows the place and the file is as ported."""
    ports: dict[Path, tuple[Path, SourceMap] | None] = {}
    texts: dict[Path, bytes] = {}
    return tuple(_with_origin(item, ports, texts) for item in found)


def _with_origin(
    item: Diagnostic, ports: dict[Path, tuple[Path, SourceMap] | None], texts: dict[Path, bytes]
) -> Diagnostic:
    if not item.file:
        return item
    path = Path(item.file).resolve()
    if path.parent not in ports:
        ports[path.parent] = _port_of(path.parent)
    port = ports[path.parent]
    if port is None:
        return item
    folder, source_map = port
    mapped = source_map.files.get(path.relative_to(folder).as_posix())
    if mapped is None:
        return item
    if path not in texts:
        texts[path] = path.read_bytes() if path.is_file() else b""
    data = texts[path]
    if hashlib.sha256(data).hexdigest() != mapped.digest:
        return item
    place = origin(mapped, data, item.line, max(item.column, 1))
    return replace(item, origin=f"{place.path}:{place.line}:{place.column}")


def _port_of(folder: Path) -> tuple[Path, SourceMap] | None:
    """The port that a folder belongs to, with its map."""
    for parent in (folder, *folder.parents):
        if (parent / MAP_PATH).is_file():
            return parent, load(parent)
    return None
