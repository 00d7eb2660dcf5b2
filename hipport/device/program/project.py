"""A program's folder -> an executable, built in a copy: by its Makefile with our hipcc, or from its sources."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.isolation import cores
from hipport.device.program import settings as settings_file
from hipport.device.program.clang import clang_for
from hipport.device.program.commandline import HIP_SUFFIXES
from hipport.device.program.runtime import library
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hipport.device.program.settings import Settings
    from hipport.toolchain.clanghip import ClangHip

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
BUILD_SECONDS = 1800.0
_COPIED = 256 << 20  # bytes of one file above which the copy is a link to the original
_WRAPPERS = ("hipcc", "amdclang++", "hipcc.bin")
_HEADERS = {".h", ".hpp", ".cuh", ".hh", ".hip.h", ".inl"}


@dataclass(frozen=True, slots=True)
class Built:
    """A built program. `folder` is the copy of its folder: programs are run there. `modules` are its device code's."""

    program: Path
    folder: Path
    runtime: Path
    modules: tuple[tuple[str, str], ...]  # (source, shared object)


def copy_of(folder: Path, scratch: Path) -> Path:
    """A copy of the folder, with links to what lies beside it and its parent: `../common/x.h` is found."""
    folder = folder.resolve()
    above, parent = folder.parent.parent, folder.parent
    top = scratch / "tree" / (above.name or "root")
    inner = top / (parent.name or "parent")
    inner.mkdir(parents=True)
    for real, shown, skip in ((above, top, parent), (parent, inner, folder)):
        if real == skip:  # at the root of the file system
            continue
        for entry in real.iterdir():
            if entry != skip and not (shown / entry.name).exists():
                (shown / entry.name).symlink_to(entry)
    copy = inner / folder.name
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "*.o"), copy_function=_copy)
    return copy


def _copy(source: str, target: str) -> str:
    if Path(source).stat().st_size > _COPIED:
        Path(target).symlink_to(Path(source).absolute())
        return target
    return str(shutil.copy2(source, target))


def build(
    folder: Path,
    target: str,
    scratch: Path,
    *,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    profile: bool = False,
) -> Built:
    """Build the program of a folder for the isa executor of `target`. Writes under `scratch` only.

    Args:
        folder: holds a Makefile, or sources.
        target: gfx942, gfx950.
        scratch: an empty folder.
        cflags: words for every compilation.
        make: words for make: a target, `VARIABLE=value`.
        profile: count what kernels do.

    Raises:
        HipportError: it does not build; with the end of the log.
        UntestedError: it needs what is not there: a compiler, linked device code.
        UsageError: no such folder, no sources, or no one program.
    """
    compiler = clang_for(target)

    def environment(using: Settings) -> dict[str, str]:
        return _environment(using, compiler, scratch)

    return build_copy(
        folder, target, scratch, library(compiler), environment, cflags=cflags, make=make, profile=profile
    )


def build_copy(
    folder: Path,
    target: str,
    scratch: Path,
    runtime: Path,
    environment: Callable[[Settings], dict[str, str]],
    *,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    profile: bool = False,
) -> Built:
    """Build in a copy of the folder, with the compiler wrappers that `environment` puts first. See build."""
    if not folder.is_dir():
        raise UsageError("there is no such folder", where=str(folder))
    copy = copy_of(folder, scratch)
    above = str(copy.parent.parent), str(folder.resolve().parent.parent)
    using = settings_file.Settings(target, profile, str(runtime), str(scratch), tuple(cflags), *above)
    env = environment(using)
    if any((copy / name).is_file() for name in MAKEFILES):
        _make(copy, scratch, make, env)
    else:
        _compile_all(copy, scratch, env)
    return Built(_program(scratch, folder), copy, runtime, _modules(scratch))


def _environment(using: Settings, compiler: ClangHip, scratch: Path) -> dict[str, str]:
    """A ROCM_PATH of our own whose bin/hipcc is ours, and the settings for it."""
    rocm = scratch / "rocm"
    (rocm / "bin").mkdir(parents=True)
    (rocm / "lib").mkdir()
    (rocm / "include").symlink_to(compiler.rocm / "include")
    for name in _WRAPPERS:
        wrapper = rocm / "bin" / name
        wrapper.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -m hipport.device.program.hipcc "$@"\n', encoding="utf-8"
        )
        wrapper.chmod(0o755)
    path = scratch / "settings.json"
    using.write(path)
    return {
        settings_file.VARIABLE: str(path),
        "PATH": f"{rocm / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        "ROCM_PATH": str(rocm),
        "HIP_PATH": str(rocm),
        "HIPCC": str(rocm / "bin" / "hipcc"),
    }


def _make(copy: Path, scratch: Path, words: Sequence[str], env: dict[str, str]) -> None:
    from hipport.toolchain.process import run

    make = shutil.which("make")
    if make is None:
        raise UntestedError("the program has a Makefile, and there is no make here")
    fixed = [f"{name}={env[name]}" for name in ("ROCM_PATH", "HIP_PATH", "HIPCC", "CUDA_HOME", "NVCC") if name in env]
    log = scratch / "build.log"
    ran = run([make, f"-j{cores()}", *fixed, *words], limit=BUILD_SECONDS, log=log, env=env, cwd=copy)
    if not ran.ok:
        _fail(scratch, "make fails", ran.output)


def _fail(scratch: Path, what: str, output: str) -> None:
    for row in _rows(scratch):
        if row["event"] == "untested":
            raise UntestedError(row["what"])
    raise HipportError(f"{what}:\n{output.strip()[-3000:]}")


def _compile_all(copy: Path, scratch: Path, env: dict[str, str]) -> None:
    """Every source below the folder in one program; every folder that holds a header is searched."""
    from hipport.toolchain.process import run

    sources = sorted(path for path in copy.rglob("*") if path.suffix in HIP_SUFFIXES | {".c"} and path.is_file())
    if not sources:
        raise UsageError("it holds neither a Makefile nor sources", where=str(copy.name))
    folders = sorted({copy, *(path.parent for path in copy.rglob("*") if path.suffix in _HEADERS)})
    words = [env["HIPCC"], *(f"-I{path}" for path in folders), *map(str, sources), "-o", str(copy / "program")]
    ran = run(words, limit=BUILD_SECONDS, log=scratch / "build.log", env=env, cwd=copy)
    if not ran.ok:
        _fail(scratch, "it does not build", ran.output)


def _rows(scratch: Path) -> list[dict[str, str]]:
    path = scratch / "build.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _modules(scratch: Path) -> tuple[tuple[str, str], ...]:
    return tuple((row["source"], row["module"]) for row in _rows(scratch) if row["event"] == "module")


def _program(scratch: Path, folder: Path) -> Path:
    linked = dict.fromkeys(row["path"] for row in _rows(scratch) if row["event"] == "program")
    there = [Path(path) for path in linked if Path(path).is_file()]
    if not there:
        raise HipportError(
            "the build links no HIP program", where=str(folder), next_step="does its Makefile call hipcc?"
        )
    if len(there) > 1:
        preferred = [path for path in there if path.name in {"main", "program", folder.name}]
        return (preferred or there)[0]
    return there[0]
