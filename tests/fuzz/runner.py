"""Run a generated program as it is on `wave:32`, its ports on the isa executor, and compare what kernels leave."""

from __future__ import annotations

import random
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hipport import api
from hipport.config import Config, WarpMode
from hipport.device.executor import Limits
from hipport.device.program import project
from hipport.device.program.run import run_built
from hipport.device.wave import launch
from hipport.device.wave import program as waves
from hipport.errors import HipportError
from hipport.model import Safety
from tests.fuzz import spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hipport.device.program.project import Built
    from hipport.device.program.run import ProgramRun
    from tests.fuzz.kernels import Kernel

TARGETS = ("gfx942", "gfx950")
MODES = ("default", "optimize", "native", "turns")
_CONFIGS = {
    "default": Config(),
    "optimize": Config(optimize=True),
    "turns": Config(),
    "native": Config(optimize=True, warp=WarpMode.NATIVE),
}
_LIMITS = Limits(threads=1, seconds=120)


@dataclass(frozen=True, slots=True)
class Problem:
    """One kernel whose port does something else: `what` says what; `text` is the port."""

    kernel: str
    mode: str
    target: str
    order: str
    what: str
    text: str


@dataclass(slots=True)
class Outcome:
    """What came of a program.

    `rejected` are kernels that the original's own checks stopped, faults of the generator; `left` are those that a port
    leaves to a person, which are not compared.
    """

    kernels: int = 0
    compared: int = 0
    rejected: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def written(kernels: Sequence[Kernel], seed: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "main.cu"
    rng = random.Random(seed)  # noqa: S311 - it is no secret
    path.write_text(spelling.program(rng, kernels), encoding="utf-8")
    return path


def ported(source: Path, mode: str, folder: Path) -> tuple[str, list[int]]:
    """The port's text, which is all that `folder` holds beside shims, and the lines that are left to a person."""
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "main.hip"
    report = api.port(source, out, config=_CONFIGS[mode], detail=True).report
    manual = [one.line for file in report.files for one in file.findings if one.finding.safety is Safety.MANUAL]
    text = out.read_text(encoding="utf-8")
    if mode == "turns":
        text = few_blocks(text)
        out.write_text(text, encoding="utf-8")
    return text, manual


def holding(kernels: Sequence[Kernel], source: str, lines: Sequence[int]) -> set[str]:
    """The kernels in whose text one of these lines lies."""
    found = set()
    for kernel in kernels:
        first = source.count("\n", 0, source.index(kernel.text)) + 1
        found |= {kernel.name for line in lines if first <= line <= first + kernel.text.count("\n")}
    return found


def few_blocks(text: str) -> str:
    """A port whose capped grids have two blocks at most, so that they take turns."""
    text = re.sub(r"4294967295u / static_cast<unsigned>\(\w+\)", "2", text)
    return re.sub(r"(?<= [<:] )\d{7,}\b(?=[ )])", "2", text)


def compare(
    kernels: Sequence[Kernel],
    seed: str,
    *,
    targets: Sequence[str] = TARGETS,
    modes: Sequence[str] = MODES,
    orders: Sequence[str] = ("in", "random:7"),
) -> Outcome:
    """Everything about one program."""
    outcome = Outcome(kernels=len(kernels))
    with tempfile.TemporaryDirectory(prefix="fuzz-") as text:
        scratch = Path(text)
        source = written(kernels, seed, scratch / "cuda")
        try:
            built = waves.build(scratch / "cuda", 32, _made(scratch / "wave"))
        except HipportError as error:
            outcome.rejected = {kernel.name: f"does not build: {error}" for kernel in kernels}
            return outcome
        device = launch.executor("32", _LIMITS)
        wanted, outcome.rejected = _outputs(
            kernels, built, lambda words: waves.run_built(built, device, words, capture=True)
        )
        seen: dict[str, str] = {}
        for mode in modes:
            port, lines = ported(source, mode, scratch / mode)
            if port in seen.values():
                continue
            seen[mode] = port
            left = holding(kernels, source.read_text(encoding="utf-8"), lines)
            outcome.left |= left
            kept = {name: array for name, array in wanted.items() if name not in left}
            for target in targets:
                _target(kernels, scratch, mode, target, orders, port, kept, outcome)
        outcome.compared = len(wanted)
    return outcome


def _target(
    kernels: Sequence[Kernel],
    scratch: Path,
    mode: str,
    target: str,
    orders: Sequence[str],
    port: str,
    wanted: dict[str, np.ndarray],
    outcome: Outcome,
) -> None:
    try:
        built = project.build(scratch / mode, target, _made(scratch / f"{mode}-{target}"))
    except HipportError as error:
        outcome.problems.append(Problem("", mode, target, "", f"does not build: {error}", port))
        return
    for order in orders:
        limits = Limits(threads=1, seconds=120, order=order)

        def run(words: Sequence[str], limits: Limits = limits) -> ProgramRun:
            return run_built(built, target, words, limits=limits, capture=True)

        kept = [kernel for kernel in kernels if kernel.name in wanted]
        got, failed = _outputs(kept, built, run)
        for name, what in failed.items():
            outcome.problems.append(Problem(name, mode, target, order, what, port))
        for kernel in kept:
            if kernel.name in got and (what := difference(kernel, got[kernel.name], wanted[kernel.name])):
                outcome.problems.append(Problem(kernel.name, mode, target, order, what, port))


def _outputs(
    kernels: Sequence[Kernel], built: Built, run: Callable[[Sequence[str]], ProgramRun]
) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of every kernel, and what stopped the others; all in one run if none is stopped."""
    paths = {kernel.name: built.folder / f"{kernel.name}.bin" for kernel in kernels}
    for path in paths.values():
        path.unlink(missing_ok=True)
    failed: dict[str, str] = {}
    if len(kernels) > 1 or not kernels:
        whole = run([])
        if whole.ended.value == "exit 0":
            return {name: np.fromfile(path, np.int32) for name, path in paths.items()}, failed
    found = {}
    for name, path in paths.items():
        path.unlink(missing_ok=True)
        one = run([name])
        if one.ended.value == "exit 0":
            found[name] = np.fromfile(path, np.int32)
        else:
            fault = f"{one.fault.kind}: {one.fault.message} ({one.fault.where})" if one.fault else one.output[-300:]
            failed[name] = f"{one.ended.value}: {fault} {'; '.join(r.message for r in one.refused)}"
    return found, failed


def difference(kernel: Kernel, got: np.ndarray, want: np.ndarray) -> str:
    """What differs, by the parts of what a kernel leaves: its output, counters, the sorted bag."""
    if got.shape == want.shape and np.array_equal(got, want):
        return ""
    edges = {
        "out": (0, kernel.out + 1),
        "acc": (kernel.out + 1, kernel.out + 257),
        "bag": (kernel.out + 257, want.size),
    }
    said = []
    for name, (low, high) in edges.items():
        off = np.flatnonzero(got[low:high] != want[low:high])
        if off.size:
            shown = ", ".join(f"[{k}] is {got[low + k]}, not {want[low + k]}" for k in off[:4])
            said.append(f"{name}: {off.size} of {high - low} differ: {shown}")
    return "; ".join(said)


def _made(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
