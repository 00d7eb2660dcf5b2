"""Where the private prefix is, and what its manifest says."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MANIFEST = "hipport-toolchain.json"
FORMAT = 1
VARIABLE = "HIPPORT_TOOLCHAIN"


def default_prefix() -> Path:
    """$HIPPORT_TOOLCHAIN, else `hipport/amd` in the user's data folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "hipport" / "amd"


@contextmanager
def locked(path: Path, waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Only one process at a time holds `path`; `waits` is called where another does, and then it is waited for."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True, slots=True)
class Prefix:
    """A finished installation. `rocm` has include/hip, `bitcode` has ocml.bc; `clang` or `zig` is its compiler."""

    folder: Path
    route: str
    rocm: Path
    bitcode: Path | None
    clang: Path | None
    zig: Path | None
    builtin_headers: Path | None
    libraries: tuple[Path, ...]
    sysroot: Path | None
    lacks: tuple[str, ...]
    packages: tuple[tuple[str, str], ...]


def read_prefix(folder: Path) -> Prefix | None:
    """The installation in `folder`; None where there is none, or one that another hipport wrote in another format."""
    try:
        value = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return None
    return Prefix(
        folder=folder,
        route=str(value["route"]),
        rocm=folder / value["rocm"],
        bitcode=_path(folder, value.get("bitcode")),
        clang=_path(folder, value.get("clang")),
        zig=_path(folder, value.get("zig")),
        builtin_headers=_path(folder, value.get("builtin_headers")),
        libraries=tuple(folder / name for name in value.get("libraries", ())),
        sysroot=_path(folder, value.get("sysroot")),
        lacks=tuple(value.get("lacks", ())),
        packages=tuple((row["name"], row["version"]) for row in value.get("packages", ())),
    )


def _path(folder: Path, value: Any) -> Path | None:
    return folder / value if isinstance(value, str) and value else None
