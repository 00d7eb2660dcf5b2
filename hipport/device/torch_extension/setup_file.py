"""What a setup.py would build: the file is run, in the build copy, where `setup` and the extensions only write down.

A program of its own: `python -m hipport.device.torch_extension.setup_file setup.py ANSWER hip|cuda`. PyTorch answers as
its build for that vendor would, so that the branches of a setup.py are the ones that a GPU machine takes.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

_CAPABILITY = {"hip": (9, 4), "cuda": (8, 0)}
_VERSION = {"hip": ("7.2", None), "cuda": (None, "13.0")}  # torch.version.hip, torch.version.cuda


def recorded(name: str, sources: list[str], *unused: Any, **words: Any) -> dict[str, Any]:
    """What CUDAExtension and CppExtension give here: their own arguments."""
    del unused
    return {"name": name, "sources": [str(path) for path in sources], **words}


def main(words: list[str]) -> int:
    """Run the setup.py of words[0] and write what it asks for to words[1]."""
    path, answer, vendor = Path(words[0]).absolute(), Path(words[1]), words[2]
    asked: dict[str, Any] = {}
    _as_built_for(vendor)
    _record_setup(asked)
    os.chdir(path.parent)
    sys.argv = [path.name, "build_ext"]
    sys.path.insert(0, str(path.parent))
    runpy.run_path(str(path), run_name="__main__")
    extensions = [_plain(row, path.parent) for row in asked.get("ext_modules") or ()]
    kept = {
        "extensions": [row for row in extensions if row],
        "packages": list(asked.get("packages") or ()),
        "package_dir": dict(asked.get("package_dir") or {}),
        "py_modules": list(asked.get("py_modules") or ()),
    }
    answer.write_text(json.dumps(kept), encoding="utf-8")
    return 0


def _as_built_for(vendor: str) -> None:
    os.environ.setdefault("FORCE_CUDA", "1")
    os.environ["CUDA_HOME" if vendor == "cuda" else "ROCM_HOME"] = "/usr"
    import torch
    import torch.version
    from torch.utils import cpp_extension

    torch.version.hip, torch.version.cuda = _VERSION[vendor]
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_capability = lambda *_: _CAPABILITY[vendor]
    changed: Any = cpp_extension
    changed.CUDAExtension = changed.CppExtension = recorded
    changed.CUDA_HOME = "/usr" if vendor == "cuda" else None
    changed.ROCM_HOME = "/usr" if vendor == "hip" else None
    changed.IS_HIP_EXTENSION = vendor == "hip"


def _record_setup(asked: dict[str, Any]) -> None:
    changed: Any = importlib.import_module("setuptools")
    changed.setup = lambda *_, **words: asked.update(words)


def _plain(row: Any, root: Path) -> dict[str, Any] | None:
    """One extension as JSON; None for one that PyTorch did not make."""
    if not isinstance(row, dict):
        return None
    options = row.get("extra_compile_args") or {}
    if not isinstance(options, dict):
        options = {"cxx": list(options), "nvcc": list(options)}
    return {
        "name": row["name"],
        "sources": [os.path.relpath(root / source, root) for source in row["sources"]],
        "include_dirs": [os.path.relpath(root / str(path), root) for path in row.get("include_dirs") or ()],
        "macros": [
            f"-D{name}" if value is None else f"-D{name}={value}" for name, value in row.get("define_macros") or ()
        ]
        + [f"-U{name}" for name in row.get("undef_macros") or ()],
        "cxx": list(options.get("cxx") or ()),
        "device": list(options.get("nvcc") or options.get("hipcc") or ()),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
