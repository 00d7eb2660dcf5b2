"""A whole program on any device: built there by its Makefile or from its sources, run, its output and files kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.executor import Limits
from hipport.device.program.project import MAKEFILES
from hipport.errors import HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.device.program.run import ProgramRun

_LOG = 2000  # characters of a log in an error
_SOURCES = {".cu", ".hip", ".cpp", ".cc", ".cxx", ".c"}
_HEADERS = {".h", ".hpp", ".cuh", ".hh"}


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """How a program ended. `problem` says why it cannot be compared; `untested`: that is no fault of the program."""

    code: int
    output: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0
    problem: str = ""
    untested: bool = False
    fidelity: str = "exact"


def run_on(
    spec: str,
    folder: Path,
    words: Sequence[str],
    *,
    files: Sequence[str] = (),
    make: Sequence[str] = (),
    cflags: Sequence[str] = (),
    limits: Limits | None = None,
) -> ProgramOutput:
    """Build and run the program of `folder`, which is written to.

    Raises:
        UntestedError: the device, its compiler or `make` is not here.
        HipportError: it does not build.
    """
    kept = limits or Limits()
    kind, _, name = spec.partition(":")
    if kind == "isa":
        return _isa(name, folder, words, files, make, cflags, kept)
    if kind == "wave":
        return _wave(name, folder, words, files, make, cflags, kept)
    program = _built(spec, folder, make, cflags)
    started = time.monotonic()
    try:
        ran = subprocess.run(
            [str(program), *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=kept.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ProgramOutput(0, "", problem=f"it was ended at its limit of {kept.seconds:g} s", untested=True)
    seconds = time.monotonic() - started
    text = ran.stdout.decode("utf-8", "replace")
    return ProgramOutput(ran.returncode, text, _kept(folder, files), seconds)


def _isa(
    target: str,
    folder: Path,
    words: Sequence[str],
    files: Sequence[str],
    make: Sequence[str],
    cflags: Sequence[str],
    limits: Limits,
) -> ProgramOutput:
    from hipport.device.cpu import executor
    from hipport.device.program import project
    from hipport.device.program.run import run_built

    device = executor(target, limits)
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        built = project.build(folder, target, Path(text), cflags=cflags, make=make)
        ran = run_built(built, target, words, limits=device.limits, capture=True)
        return _told(ran, built.folder, files)


def _wave(
    width: str,
    folder: Path,
    words: Sequence[str],
    files: Sequence[str],
    make: Sequence[str],
    cflags: Sequence[str],
    limits: Limits,
) -> ProgramOutput:
    from hipport.device.wave import launch, program

    device = launch.executor(width, limits)
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        built = program.build(folder, device.width, Path(text), cflags=cflags, make=make)
        return _told(program.run_built(built, device, words, capture=True), built.folder, files)


def _told(ran: ProgramRun, folder: Path, files: Sequence[str]) -> ProgramOutput:
    from hipport.device.program.run import Ended

    problem = ""
    if ran.fault is not None:
        problem = f"{ran.fault.kind}: {ran.fault.message}" + (f" ({ran.fault.where})" if ran.fault.where else "")
    elif ran.ended not in {Ended.SUCCESS, Ended.OWN}:
        problem = f"{ran.ended.value}: {ran.missing}" if ran.missing else ran.ended.value
    untested = ran.ended in {Ended.INCONCLUSIVE, Ended.NOT_PROVIDED, Ended.TIME_LIMIT}
    return ProgramOutput(ran.code, ran.output, _kept(folder, files), ran.seconds, problem, untested, ran.fidelity.value)


def _kept(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def _built(spec: str, folder: Path, make: Sequence[str], cflags: Sequence[str]) -> Path:
    """The program, built by the GPU's own compiler in `folder`."""
    from hipport.device.gpu import toolchain

    tools = toolchain(spec)
    before = set(_programs(folder))
    if any((folder / name).is_file() for name in MAKEFILES):
        tool = shutil.which("make")
        if tool is None:
            raise UntestedError("the program has a Makefile, and there is no make here")
        variables = [f"{name}={value}" for name, value in tools.variables.items()]
        _do([tool, *variables, *make], folder, tools.environment, "make fails")
    else:
        sources = [str(p) for p in sorted(folder.rglob("*")) if p.suffix in _SOURCES and p.is_file()]
        places = sorted({folder, *(p.parent for p in folder.rglob("*") if p.suffix in _HEADERS)})
        line = [*tools.words, *cflags, *(f"-I{place}" for place in places), *sources, "-o", str(folder / "program")]
        _do(line, folder, tools.environment, "it does not build")
    made = [path for path in _programs(folder) if path not in before]
    if not made:
        raise HipportError("the build gives no program", where=str(folder))
    named = [path for path in made if path.name in {folder.name, "program", "main"}]
    return (named or made)[0]


def _do(words: list[str], folder: Path, environment: Mapping[str, str], what: str) -> None:
    env = {**os.environ, **environment}
    ran = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise HipportError(f"{what}: {(ran.stderr or ran.stdout).strip()[-_LOG:]}")


def _programs(folder: Path) -> list[Path]:
    """The executable files below a folder that are machine code."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and os.access(path, os.X_OK) and path.suffix not in {".o", ".so"}:
            with path.open("rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    found.append(path)
    return found
