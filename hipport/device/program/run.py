"""Run a built program on the isa executor: its output, what its kernels did, and how it ended."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.cpu import executor
from hipport.device.executor import Fault, Fidelity, Limits
from hipport.device.isa import abi
from hipport.device.outcome import fault_of
from hipport.device.program import device_file, project
from hipport.device.signature import short_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.device.program.project import Built


class Ended(str, Enum):
    """How a program came to its end."""

    SUCCESS = "exit 0"
    OWN = "own exit code"  # the program says that something is wrong
    FAULT = "fault"  # a kernel did what it may not
    INCONCLUSIVE = "inconclusive"  # the executor lacks something
    NOT_PROVIDED = "not provided"  # the HIP runtime lacks something
    SIGNAL = "signal"
    TIME_LIMIT = "time limit"


@dataclass(frozen=True, slots=True)
class KernelRow:
    """One kernel of a run: all of its launches together."""

    kernel: str
    launches: int
    seconds: float
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    approximate: tuple[str, ...]
    counts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """One run of a program. `output` is empty where it went to our own stdout. `refused` are launches over a limit."""

    device: str
    ended: Ended
    code: int
    seconds: float
    kernels: tuple[KernelRow, ...]
    fault: Fault | None
    refused: tuple[Fault, ...]
    missing: str
    output: str

    @property
    def fidelity(self) -> Fidelity:
        """Inconclusive where it could not be run to its end; else what its opcodes say."""
        if self.ended in {Ended.INCONCLUSIVE, Ended.NOT_PROVIDED, Ended.TIME_LIMIT}:
            return Fidelity.INCONCLUSIVE
        return Fidelity.APPROXIMATE if any(row.approximate for row in self.kernels) else Fidelity.EXACT


def run_program(
    folder: Path,
    target: str,
    args: Sequence[str] = (),
    *,
    limits: Limits | None = None,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    profile: bool = False,
    capture: bool = False,
) -> ProgramRun:
    """Build the program of a folder and run it. See project.build for what is raised."""
    device = executor(target, limits or Limits())
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        built = project.build(folder, target, Path(scratch), cflags=cflags, make=make, profile=profile)
        return run_built(built, target, args, limits=device.limits, capture=capture)


def run_built(
    built: Built, target: str, args: Sequence[str], *, limits: Limits, capture: bool = False, cwd: Path | None = None
) -> ProgramRun:
    """Run a built program in the copy of its folder."""
    device = executor(target, limits)
    text = device_file.text(device.target, limits)
    # twice: what HIP memory may be, and the shadow that tells whether it was written
    twice = replace(limits, memory=2 * limits.memory)
    return run_process(built, device.spec, args, text, twice, capture=capture, cwd=cwd)


def run_process(
    built: Built,
    spec: str,
    args: Sequence[str],
    device_text: str,
    limits: Limits,
    *,
    capture: bool = False,
    cwd: Path | None = None,
) -> ProgramRun:
    """Run a built program on the device that `device_text` tells its runtime of, in `limits` as they are."""
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        scratch = Path(text)
        (scratch / "device.txt").write_text(device_text, encoding="utf-8")
        result = scratch / "result.jsonl"
        env = {**os.environ, "HIPPORT_DEVICE": str(scratch / "device.txt"), "HIPPORT_RESULT": str(result)}
        started = time.monotonic()
        code, output = _process([str(built.program), *args], cwd or built.folder, env, limits, capture=capture)
        seconds = time.monotonic() - started
        events = (
            [json.loads(line) for line in result.read_text("utf-8", "replace").splitlines()] if result.is_file() else []
        )
    return _read(spec, code, seconds, events, output)


def _process(
    words: list[str], cwd: Path, env: dict[str, str], limits: Limits, *, capture: bool
) -> tuple[int | None, str]:
    """(exit code, or None at the time limit; output). The whole process group ends with it."""
    pipe = subprocess.PIPE if capture else None
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=subprocess.STDOUT if capture else None,
        start_new_session=True,
    )
    if limits.memory and hasattr(resource, "prlimit"):
        resource.prlimit(process.pid, resource.RLIMIT_AS, (limits.memory, limits.memory))
    code: int | None
    try:
        data, _ = process.communicate(timeout=limits.seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        data, _ = process.communicate()
        code = None
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return code, (data or b"").decode("utf-8", "replace")


def _read(spec: str, code: int | None, seconds: float, events: list[dict[str, Any]], output: str) -> ProgramRun:
    kernels = tuple(_kernel(row) for row in events if row["event"] == "kernel")
    faults = [(abi.FaultKind(row["kind"]), row) for row in events if row["event"] == "fault"]
    refused = tuple(fault_of(kind, row) for kind, row in faults if kind is abi.FaultKind.REFUSED)
    stopped = [(kind, row) for kind, row in faults if kind is not abi.FaultKind.REFUSED]
    missing = next((row["name"] for row in events if row["event"] == "not_provided"), "")
    fault = fault_of(*stopped[0]) if stopped else None
    if stopped:
        ended = Ended.INCONCLUSIVE if stopped[0][0].inconclusive else Ended.FAULT
    elif missing:
        ended = Ended.NOT_PROVIDED
    elif code is None:
        ended = Ended.TIME_LIMIT
    elif code < 0:
        ended = Ended.SIGNAL
    else:
        ended = Ended.OWN if code else Ended.SUCCESS
    return ProgramRun(spec, ended, -1 if code is None else code, seconds, kernels, fault, refused, missing, output)


def _kernel(row: dict[str, Any]) -> KernelRow:
    return KernelRow(
        kernel=short_name(row["kernel"]),
        launches=row["launches"],
        seconds=row["seconds"],
        grid=tuple(row["grid"]),
        block=tuple(row["block"]),
        approximate=tuple(row["approximate"]),
        counts=row["counts"] if row["profiled"] else {},
    )
