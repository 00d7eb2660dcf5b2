"""What is to be built: the extension modules of a folder with a setup.py, or of a list of sources."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.torch_extension.rewriting import SUFFIXES, for_cpu, registers_for_cpu
from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DEVICE_SUFFIXES = frozenset({".cu", ".hip"})
_LEFT_OUT = frozenset({".git", ".hipport", "__pycache__", "build", "dist", ".eggs"})
_RECIPES = frozenset(("setup.py", "setup.cfg", "pyproject.toml"))
_LARGEST = 16 << 20  # bytes of one file: what is larger is no source
_SETUP_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Library:
    """One extension module: `row_softmax._C`. Paths are relative to the project's root; options are words."""

    name: str
    sources: tuple[str, ...]
    include_dirs: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    cxx: tuple[str, ...] = ()
    device: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """The name that its initialisation function carries."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Project:
    """The extension modules of one folder, and its Python packages by the folder that each lies in."""

    libraries: tuple[Library, ...]
    packages: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()


def digest(root: Path, *, python: bool = False) -> str:
    """Of every file that a compilation could read and of what says how to build; with `python` of modules alone."""
    key = hashlib.sha256()
    for path in files_of(root):
        is_code = path.suffix.lower() in SUFFIXES or path.name in _RECIPES
        if is_code if not python else path.suffix == ".py":
            data = path.read_bytes()
            key.update(f"{path.relative_to(root).as_posix()}\0{len(data)}\0".encode())
            key.update(data)
    return key.hexdigest()


def files_of(root: Path) -> Iterator[Path]:
    """The files below the folder, in a fixed order; no build folders, no data."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in _LEFT_OUT and not name.endswith(".egg-info"))
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_file() and path.stat().st_size <= _LARGEST:
                yield path


def build_copy(root: Path, copy: Path) -> None:
    """A copy of the folder whose host code takes CPU tensors for CUDA's. Written aside, then put in place."""
    if copy.is_dir():
        return
    new = copy.with_name(f"{copy.name}.{os.getpid()}")
    found = {path: path.read_bytes() for path in files_of(root)}
    sources = {path: data for path, data in found.items() if path.suffix.lower() in SUFFIXES}
    twice = any(registers_for_cpu(data) for data in sources.values())
    for path, data in found.items():
        target = new / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(for_cpu(data, twice=twice) if path in sources else data)
    new.mkdir(parents=True, exist_ok=True)
    try:
        new.rename(copy)
    except OSError:  # another process was first
        shutil.rmtree(new, ignore_errors=True)


def of_sources(root: Path, sources: Sequence[Path], name: str) -> Project:
    """One extension module of the sources, which lie below `root`."""
    folders = sorted({path.parent.relative_to(root).as_posix() for path in sources} | {"."})
    return Project((Library(name, tuple(path.relative_to(root).as_posix() for path in sources), tuple(folders)),))


def of_setup(copy: Path, vendor: str) -> Project:
    """What the setup.py of the copy builds for a vendor, `hip` or `cuda`. The setup.py is run.

    Raises:
        HipportError: it fails, or names no extension of PyTorch.
    """
    from hipport.toolchain.process import run

    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        answer = Path(scratch) / "setup.json"
        words = [sys.executable, "-m", "hipport.device.torch_extension.setup_file", str(copy / "setup.py"), str(answer)]
        ran = run([*words, vendor], limit=_SETUP_SECONDS, cwd=copy)
        if not ran.ok or not answer.is_file():
            raise HipportError(f"its setup.py fails:\n{ran.output.strip()[-1500:]}", where="setup.py")
        row = json.loads(answer.read_text(encoding="utf-8"))
    libraries = tuple(_library(one, copy) for one in row["extensions"])
    if not any(Path(source).suffix in DEVICE_SUFFIXES for library in libraries for source in library.sources):
        raise UsageError("its setup.py names no extension with device code", where="setup.py")
    folders = {name: _package_folder(name, row["package_dir"]) for name in row["packages"]}
    return Project(libraries, folders, tuple(row["py_modules"]))


def _library(row: Mapping[str, Any], copy: Path) -> Library:
    inside = [path for path in row["include_dirs"] if (copy / path).is_dir()]
    return Library(
        row["name"],
        tuple(_there(source, copy) for source in row["sources"]),
        tuple(inside),
        tuple(row["macros"]),
        tuple(map(str, row["cxx"])),
        tuple(map(str, row["device"])),
    )


def _there(source: str, copy: Path) -> str:
    """The source, or the name that a port gave it where its setup.py was left alone."""
    ported = Path(source).with_suffix(".hip")
    return ported.as_posix() if not (copy / source).exists() and (copy / ported).exists() else source


def _package_folder(name: str, package_dir: Mapping[str, str]) -> str:
    if name in package_dir:
        return package_dir[name]
    parent, _, last = name.rpartition(".")
    above = _package_folder(parent, package_dir) if parent else package_dir.get("", ".")
    return f"{above}/{last}"
