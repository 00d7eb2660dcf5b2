"""The headers that stand before PyTorch's own, and those that are compiled once: words for an extension's sources."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.toolchain.places import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NATIVE = Path(__file__).resolve().parent.parent / "native" / "torch"
_GPU = "#pragma once\n#include <hipport_torch/gpu.h>\n"
_SLIM = "#pragma once\n#include <hipport_torch/slim.h>\n"
FIRST = "hipport_torch/first.h"  # what is compiled once
_FIRST = "#include <hipport_torch/slim.h>\n#include <hipport_torch/gpu.h>\n"
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
SLIM = ("torch/extension.h", "torch/torch.h", "torch/all.h")


def extension_cache() -> Path:
    """Where builds of extensions are kept: `hipport/extension` in the user's cache."""
    return cache_folder() / "extension"


def own_includes() -> tuple[Path, Path]:
    """(the folder of the forwarded headers, that of the slim torch/extension.h), made once."""
    key = hashlib.sha256("\0".join((*FORWARDED, _GPU, _SLIM, _FIRST)).encode()).hexdigest()[:16]
    folder = extension_cache() / f"include-{key}"
    if not folder.is_dir():
        new = folder.with_name(f"{folder.name}.{os.getpid()}")
        rows = {f"gpu/{name}": _GPU for name in FORWARDED} | {f"slim/{name}": _SLIM for name in SLIM}
        for name, text in {**rows, f"gpu/{FIRST}": _FIRST}.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text, encoding="utf-8")
        with contextlib.suppress(OSError):  # another process was first
            new.rename(folder)
    return folder / "gpu", folder / "slim"


def words(*, slim: bool) -> tuple[str, ...]:
    """The include folders of ours, first of all; without `slim`, torch/extension.h is all of PyTorch's frontend."""
    gpu, small = own_includes()
    return (f"-isystem{gpu}", *((f"-isystem{small}",) if slim else ()), f"-isystem{NATIVE / 'include'}")


def compiled_once(key: Sequence[str], make: Callable[[Path, Path], bool]) -> Path | None:
    """The compiled form of FIRST for these words; None where this compiler cannot make one.

    Args:
        key: everything that it depends on.
        make: (header, output) -> whether it could.
    """
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted((NATIVE / "include").rglob("*.h")))
    name = hashlib.sha256("\0".join((*key, sources)).encode()).hexdigest()[:24]
    output = extension_cache() / "headers" / f"{name}.pch"
    if output.is_file():
        return output
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f"{name}.{os.getpid()}")
    if not make(own_includes()[0] / FIRST, partial):
        partial.unlink(missing_ok=True)
        return None
    partial.replace(output)
    return output


def object_place(source: str, key: Sequence[str], suffix: str) -> Path:
    """Where the cache keeps what a compilation with these words makes; the words name the copy, and so its content."""
    name = hashlib.sha256("\0".join((source, *key)).encode()).hexdigest()[:24]
    return extension_cache() / "objects" / f"{name}{suffix}"


def partial(output: Path) -> Path:
    """Where a file is written before it is put in place; its folder is made."""
    output.parent.mkdir(parents=True, exist_ok=True)
    return output.with_name(f"{output.stem}.{os.getpid()}{output.suffix}")
