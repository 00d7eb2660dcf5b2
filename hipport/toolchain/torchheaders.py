"""PyTorch's headers as a HIP build of it would have them, from any build of it: for compiling extensions to objects."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

from hipport import cachedir
from hipport.errors import HipportError, UntestedError
from hipport.toolchain.places import locked
from hipport.toolchain.process import run

# What torch.utils.cpp_extension defines for an extension on ROCm.
DEFINES = (
    "-DUSE_ROCM=1",
    "-DHIPBLAS_V2",
    "-DCUDA_HAS_FP16=1",
    "-D__HIP_NO_HALF_OPERATORS__=1",
    "-D__HIP_NO_HALF_CONVERSIONS__=1",
    "-DHIP_ENABLE_WARP_SYNC_BUILTINS=1",
    "-DTORCH_API_INCLUDE_EXTENSION_H",
)
# The folders whose headers name CUDA; a HIP build has their hipified twins beside them.
FOLDERS = ("ATen/cuda", "ATen/native/cuda", "c10/cuda", "torch/csrc/cuda")
# Made by PyTorch's own build, and missing from a build without a GPU.
_SHARED = "#pragma once\n#define C10_CUDA_BUILD_SHARED_LIBS\n"
_MADE = {
    "c10/hip/impl/hip_cmake_macros.h": f"{_SHARED}#define C10_HIP_BUILD_SHARED_LIBS\n",
    "c10/cuda/impl/cuda_cmake_macros.h": _SHARED,
}
_DONE = "overlay.json"
_FORMAT = 1
_SECONDS = 600.0


def torch_words(language: str, stem: str = "extension") -> tuple[str, ...]:
    """The words that let an extension's sources compile, `hip` with the overlay; made once for a PyTorch version.

    Raises:
        UntestedError: the running Python has no PyTorch.
    """
    include = _torch_include()
    overlay = _overlay(include)
    places = [overlay, include, include / "torch" / "csrc" / "api" / "include", Path(sysconfig.get_paths()["include"])]
    words = [f"-isystem{place}" for place in places]
    if language == "hip":
        words += DEFINES
    return (*words, f"-DTORCH_EXTENSION_NAME={stem}", "-std=c++20")


def _torch_include() -> Path:
    spec = importlib.util.find_spec("torch")
    for place in spec.submodule_search_locations or () if spec else ():
        if (Path(place) / "include" / "ATen").is_dir():
            return Path(place) / "include"
    raise UntestedError("this Python has no PyTorch with its headers", next_step="pip install torch")


def _overlay(include: Path) -> Path:
    """The overlay's folder, made by a process of its own: hipify prints, and importing PyTorch is slow."""
    folder = cachedir.root() / f"torch-{metadata.version('torch')}"
    if _is_done(folder, include):
        return folder
    with locked(folder.with_name(folder.name + ".lock")):
        if _is_done(folder, include):
            return folder
        new = folder.with_name(f"{folder.name}.{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        log = cachedir.root() / "logs" / "torch-headers.log"
        ran = run(
            [sys.executable, "-m", "hipport.toolchain.torchheaders", str(include), str(new)], limit=_SECONDS, log=log
        )
        if not ran.ok:
            shutil.rmtree(new, ignore_errors=True)
            raise HipportError("PyTorch's headers could not be hipified", where=str(log))
        (new / _DONE).write_text(json.dumps({"format": _FORMAT, "include": str(include)}), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    return folder


def _is_done(folder: Path, include: Path) -> bool:
    try:
        value = json.loads((folder / _DONE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(value == {"format": _FORMAT, "include": str(include)})


def make(include: Path, out: Path) -> None:
    """Copy the CUDA folders, hipify them with PyTorch's own tool, and keep what it made."""
    from torch.utils.hipify import hipify_python

    for folder in FOLDERS:
        if (include / folder).is_dir():
            shutil.copytree(include / folder, out / folder)
    hipify_python.hipify(
        project_directory=str(out),
        output_directory=str(out),
        includes=["*"],
        extensions=(".h", ".hpp", ".cuh"),
        is_pytorch_extension=False,
        show_progress=False,
    )
    for folder in FOLDERS:
        if folder != "torch/csrc/cuda":  # hipified in place; the others lie beside their originals
            shutil.rmtree(out / folder, ignore_errors=True)
    for name, text in _MADE.items():
        path = out / name
        if not (include / name).is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
