"""Where the system's C and C++ headers lie: what `--system-headers` reads in place of the prelude's stubs."""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path

from hipport.errors import UntestedError

_WANTED = ("vector", "stddef.h", "stdio.h")


@functools.cache
def folders() -> tuple[str, ...]:
    """The folders, in the order in which a compiler looks: C++ library, clang's own headers, C library.

    Raises:
        UntestedError: no C++ library or no C library is installed.
    """
    root = Path("/usr/include")
    own = sorted(root.glob("c++/[0-9]*"), key=lambda path: [int(n) for n in path.name.split(".") if n.isdigit()])[-1:]
    by_machine = [m / "c++" / path.name for path in own for m in sorted(root.glob("*-linux-*"))]
    libcxx = [] if own else [root / "c++/v1", *sorted(Path("/usr/lib").glob("llvm-*/include/c++/v1"))[-1:]]
    found = [*own, *by_machine, *libcxx, *_clang(), *sorted(root.glob("*-linux-*")), root]
    there = tuple(str(path) for path in found if path.is_dir())
    for name in _WANTED:
        if not any((Path(folder) / name).is_file() for folder in there):
            raise UntestedError(
                f"the system has no header `{name}`", next_step="install g++, or leave --system-headers out"
            )
    return there


def _clang() -> list[Path]:
    """The headers that belong to libclang itself."""
    spec = find_spec("clang")
    places = spec.submodule_search_locations if spec else None
    return [Path(place) / "native/resource/include" for place in places or ()]


@functools.lru_cache(maxsize=4096)
def has(operand: str) -> bool:
    """Whether an include operand is a header of the system (CUDA's are never taken from there)."""
    if operand.startswith(("/", "cuda", "cub/", "thrust/", "nv", "cooperative_groups", "torch/", "ATen/", "c10/")):
        return False
    return ".." not in operand.split("/") and any((Path(folder) / operand).is_file() for folder in folders())


@functools.cache
def version() -> str:
    """What changes when the installed headers do: folders, and when the C++ library's were written."""
    dated = [
        f"{folder}:{Path(folder, 'vector').stat().st_mtime_ns}"
        for folder in folders()
        if Path(folder, "vector").is_file()
    ]
    return " ".join((*folders(), *dated))
