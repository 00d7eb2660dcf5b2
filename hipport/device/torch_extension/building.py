"""build_extension: a folder or sources and a device -> an importable extension, from the cache if it is there."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hipport.device.torch_extension import headers, project
from hipport.errors import UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.torch_extension.project import Library, Project


@dataclass(frozen=True, slots=True)
class Extension:
    """A built extension: `site` is a folder for Python's path, `modules` are the names of its compiled modules."""

    device: str
    site: Path
    modules: tuple[str, ...]
    source: Path


class Build(Protocol):
    """How a device builds one extension module."""

    def library(self, library: Library, output: Path) -> None:
        """Compile and link it to `output`."""


def build_extension(source: str | Path | Sequence[str | Path], device: str, *, name: str = "_C") -> Extension:
    """Build an extension for a device: `isa:gfx942`, `isa:gfx950` or `wave:32`.

    Args:
        source: a folder with a setup.py, which is run in a copy; or the sources of one module.
        device: where its kernels will run.
        name: of the module, where sources are given.

    Raises:
        UsageError: no such folder or source, or nothing with device code.
        HipportError: it does not compile or link; with the compiler's first errors.
        UntestedError: there is no PyTorch, compiler or device of that kind here.
    """
    root, sources = _root(source)
    vendor = "cuda" if device.startswith("wave:") else "hip"
    tree = project.digest(root)
    folder = headers.extension_cache() / "builds" / tree[:24]
    copy = folder / "copy"
    folder.mkdir(parents=True, exist_ok=True)
    project.build_copy(root, copy)
    what = project.of_sources(root, sources, name) if sources else project.of_setup(copy, vendor)
    build = _build(device, copy, root)
    site = folder / f"{device.replace(':', '-')}-{_id(what, build, root)}"
    if not site.is_dir():
        _make(what, build, root, site)
    return Extension(device, site, tuple(library.name for library in what.libraries), root)


def _root(source: str | Path | Sequence[str | Path]) -> tuple[Path, tuple[Path, ...]]:
    """The folder that is copied, and the sources where they were named."""
    if isinstance(source, str | Path):
        folder = Path(source).resolve()
        if not (folder / "setup.py").is_file():
            raise UsageError("there is no setup.py", where=str(source), next_step="name its sources instead")
        return folder, ()
    sources = tuple(Path(path).resolve() for path in source)
    for path in sources:
        if not path.is_file():
            raise UsageError("there is no such file", where=str(path))
    if not any(path.suffix in project.DEVICE_SUFFIXES for path in sources):
        raise UsageError("none of the sources is a .cu or .hip file")
    return Path(os.path.commonpath([path.parent for path in sources])), sources


def _build(device: str, copy: Path, root: Path) -> Build:
    kind, _, what = device.partition(":")
    if kind == "isa" and what:
        from hipport.device.torch_extension.isa import isa_build

        return isa_build(what, copy, root)
    if kind == "wave" and what:
        from hipport.device.torch_extension.wave import wave_build

        return wave_build(what, copy, root)
    raise UntestedError(f"extensions do not run on {device}", next_step="wave:32, isa:gfx942 or isa:gfx950")


def _id(what: Project, build: Build, root: Path) -> str:
    """Of everything besides the sources that a build depends on."""
    import hashlib
    from importlib import metadata

    native = b"".join(path.read_bytes() for path in sorted(headers.NATIVE.parent.rglob("*")) if path.is_file())
    own = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    text = f"{what}\0{build}\0{metadata.version('torch')}\0{project.digest(root, python=True)}".encode()
    return hashlib.sha256(b"\0".join((text, native, own))).hexdigest()[:16]


def _make(what: Project, build: Build, root: Path, site: Path) -> None:
    new = site.with_name(f"{site.name}.{os.getpid()}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for package, folder in what.packages.items():
        target = new.joinpath(*package.split("."))
        target.mkdir(parents=True, exist_ok=True)
        for path in sorted((root / folder).iterdir()):
            if path.is_file() and path.suffix not in {".cu", ".cpp", ".hip"}:
                shutil.copy2(path, target / path.name)
    for module in what.modules:
        shutil.copy2(root / f"{module}.py", new / f"{module}.py")
    for library in what.libraries:
        output = new.joinpath(*library.name.split(".")).with_suffix(".so")
        output.parent.mkdir(parents=True, exist_ok=True)
        build.library(library, output)
    try:
        new.rename(site)
    except OSError:  # another process was first
        shutil.rmtree(new, ignore_errors=True)
