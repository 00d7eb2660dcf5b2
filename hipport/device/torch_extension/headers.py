"""The headers that stand before PyTorch's own, and those that are compiled once: words for an extension's sources."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NATIVE = Path(__file__).resolve().parent.parent / "native" / "torch"
_GPU = "#pragma once\n#include <hipport_torch/gpu.h>\n"


class Level(str, Enum):
    """How much of PyTorch's C++ frontend torch/extension.h is: most of the time of a compilation goes there."""

    THIN = "thin"  # tensors, operators and factories: for sources with device code
    SLIM = "slim"  # and Python bindings
    WHOLE = "whole"


_TEXT = {
    Level.THIN: "#pragma once\n#include <torch/types.h>\n",
    Level.SLIM: "#pragma once\n#include <torch/types.h>\n#include <torch/csrc/utils/pybind.h>\n",
}
_C10 = ("Stream", "Guard", "Exception", "Functions", "CachingAllocator", "Macros", "MiscFunctions", "Event")
_ATEN = ("Context", "ContextLight", "Event", "Device")
_MASQUERADE = ("GuardImpl", "Stream", "CachingAllocator")
FORWARDED = (
    *(f"c10/{vendor.lower()}/{vendor}{name}.h" for vendor in ("CUDA", "HIP") for name in _C10),
    *(f"ATen/{vendor.lower()}/{vendor}{name}.h" for vendor in ("CUDA", "HIP") for name in _ATEN),
    *(f"ATen/{vendor.lower()}/Exceptions.h" for vendor in ("CUDA", "HIP")),
    *(f"ATen/hip/impl/HIP{name}MasqueradingAsCUDA.h" for name in _MASQUERADE),
    "torch/cuda.h",
)
FRONTEND = ("torch/extension.h", "torch/torch.h", "torch/all.h")
FIRST = "hipport_torch/first.h"  # what is compiled once


def extension_cache() -> Path:
    """Where builds of extensions are kept: `hipport/extension` in the user's cache."""
    return cachedir.root() / "extension"


def own_includes() -> Path:
    """The folder of the forwarded headers, `gpu`, and of the frontend's, `thin` and `slim`; made once."""
    rows = {f"gpu/{name}": _GPU for name in FORWARDED}
    for level, text in _TEXT.items():
        rows |= {f"{level.value}/{name}": text for name in FRONTEND}
        rows[f"{level.value}/{FIRST}"] = text + _GPU
    key = hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
    folder = extension_cache() / f"include-{key}"
    if not folder.is_dir():
        new = folder.with_name(f"{folder.name}.{os.getpid()}")
        for name, text in rows.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text, encoding="utf-8")
        with contextlib.suppress(OSError):  # another process was first
            new.rename(folder)
    return folder


def words(level: Level) -> tuple[str, ...]:
    """The include folders of ours, first of all."""
    own = own_includes()
    frontend = () if level is Level.WHOLE else (f"-isystem{own / level.value}",)
    return (f"-isystem{own / 'gpu'}", *frontend, f"-isystem{NATIVE / 'include'}")


def compiled_once(level: Level, key: Sequence[str], make: Callable[[Path, Path], bool] | None) -> Path | None:
    """The compiled form of a level's FIRST for these words; None where there is none.

    Args:
        level: of the frontend.
        key: everything else that it depends on.
        make: (header, output) -> whether it could; None: take only what is there.
    """
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted((NATIVE / "include").rglob("*.h")))
    name = hashlib.sha256("\0".join((level.value, *key, sources)).encode()).hexdigest()[:24]
    output = extension_cache() / "headers" / f"{name}.pch"
    if output.is_file():
        return output
    if make is None:
        return None
    new = partial(output)
    if not make(own_includes() / level.value / FIRST, new):
        new.unlink(missing_ok=True)
        return None
    new.replace(output)
    return output


def object_place(source: str, key: Sequence[str], suffix: str) -> Path:
    """Where the cache keeps what a compilation with these words makes; the words name the copy, and so its content."""
    name = hashlib.sha256("\0".join((source, *key)).encode()).hexdigest()[:24]
    return extension_cache() / "objects" / f"{name}{suffix}"


def partial(output: Path) -> Path:
    """Where a file is written before it is put in place; its folder is made."""
    output.parent.mkdir(parents=True, exist_ok=True)
    return output.with_name(f"{output.stem}.{os.getpid()}{output.suffix}")
