"""Whole CUDA or HIP programs on `wave:32` and `wave:64`: built in a copy of their folder, run, and what they did."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.executor import Limits
from hipport.device.program import settings as settings_file
from hipport.device.program.project import Built, build_copy
from hipport.device.program.run import ProgramRun, run_process
from hipport.device.wave.build import runtime_object
from hipport.device.wave.compiler import cxx_compiler
from hipport.device.wave.launch import executor
from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.wave.launch import WaveExecutor

_WRAPPERS = ("nvcc", "hipcc", "amdclang++")


def width_of(spec: str, *, profile: bool = False) -> int:
    """The wave's width that `wave:32` or `wave:64` names.

    Raises:
        UsageError: no such device, or it is to count.
    """
    if profile:
        raise UsageError(f"{spec} keeps no counts", next_step="--profile is for isa devices")
    return executor(spec.partition(":")[2], Limits()).width


def build(folder: Path, width: int, scratch: Path, *, cflags: Sequence[str] = (), make: Sequence[str] = ()) -> Built:
    """Build the program of a folder for the wave executor. Writes under `scratch` only.

    Raises:
        HipportError: it does not build; with the end of the log.
        UntestedError: there is no C++ compiler.
        UsageError: no such folder, no sources, or no one program.
    """
    runtime = runtime_object(cxx_compiler(), width)

    def environment(using: settings_file.Settings) -> dict[str, str]:
        return _environment(using, scratch)

    return build_copy(folder, str(width), scratch, runtime, environment, cflags=cflags, make=make)


def _environment(using: settings_file.Settings, scratch: Path) -> dict[str, str]:
    """A CUDA_HOME of our own whose bin/nvcc is ours, and the settings for it."""
    home = scratch / "cuda"
    (home / "bin").mkdir(parents=True)
    (home / "lib64").mkdir()
    (home / "include").mkdir()
    for name in _WRAPPERS:
        wrapper = home / "bin" / name
        text = f'#!/bin/sh\nexec "{sys.executable}" -m hipport.device.wave.nvcc "$@"\n'
        wrapper.write_text(text, encoding="utf-8")
        wrapper.chmod(0o755)
    path = scratch / "settings.json"
    using.write(path)
    nvcc = str(home / "bin" / "nvcc")
    folders = dict.fromkeys(("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "ROCM_PATH", "HIP_PATH"), str(home))
    search = f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return {settings_file.VARIABLE: str(path), "PATH": search, **folders, "NVCC": nvcc, "HIPCC": nvcc}


def device_rows(device: WaveExecutor) -> dict[str, object]:
    """What the runtime is told of the device: the limits and names that a program may ask for."""
    target, limits = device.target, device.limits

    def known(key: str, scale: float = 1) -> int:
        return int(target.fact(key).value * scale) if target.knows(key) else 0

    rows = {
        "name": f"hipport wave:{device.width}",
        "arch": target.name,
        "memory_limit": limits.memory * 3 // 4,
        "lds_bytes": target.lds_dynamic_bytes,
        "threads_per_cu": known("max_threads_per_sm") or known("max_threads_per_cu") or 2048,
        "threads": limits.threads,
        "order": limits.order,
        "instruction_budget": limits.budget,
        "poison": int(limits.poison),
    }
    return {key: value for key, value in rows.items() if value != ""}


def run_program(
    folder: Path,
    width: int,
    args: Sequence[str] = (),
    *,
    limits: Limits | None = None,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    capture: bool = False,
) -> ProgramRun:
    """Build the program of a folder and run it. See build for what is raised."""
    device = executor(str(width), limits or Limits())
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        built = build(folder, width, Path(scratch), cflags=cflags, make=make)
        return run_built(built, device, args, capture=capture)


def run_built(
    built: Built, device: WaveExecutor, args: Sequence[str], *, capture: bool = False, cwd: Path | None = None
) -> ProgramRun:
    """Run a built program in the copy of its folder."""
    text = "".join(f"{key} {value}\n" for key, value in device_rows(device).items())
    # races and unwritten bytes are kept beside the memory itself, some seven bytes for each of it
    wider = replace(device.limits, memory=4 * device.limits.memory)
    return run_process(built, device.spec, args, text, wider, capture=capture, cwd=cwd)
