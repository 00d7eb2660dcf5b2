"""Mutants of ported kernels, executed and judged by `hipport verify`'s own gates; beside it what allclose would say."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from hipport.device.executor import FaultError, InconclusiveError, Limits
from hipport.diffing import casefile
from hipport.diffing.judge import judge, middle
from hipport.diffing.kernel import KernelSide, KernelSubject, Modules
from hipport.diffing.verdict import Kind
from hipport.errors import HipportError, UntestedError
from tests.mutants.operators import Mutant, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.diffing.cases import Case
    from hipport.diffing.inputs import Inputs
    from hipport.diffing.sides import Outputs

HERE = Path(__file__).resolve().parent
ORIGINAL = "wave:32"
DEVICES = ("isa:gfx950", "wave:64")  # the second is asked where the first sees nothing: it looks for races
# a mutant may never end: a launch of these kernels takes milliseconds
LIMITS = Limits(seconds=60, memory=4 << 30, threads=1, budget=4_000_000)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant: `verdict` is same, differs, failed or unproven on the device that decided it.

    `gate` is what saw it; `allclose` is whether one normal input with torch.allclose's rule at 1e-2 sees it, None
    where the run faulted, which a GPU might not show.
    """

    source: str
    number: int
    mutant: Mutant
    verdict: str
    device: str
    gate: str
    message: str
    allclose: bool | None

    @property
    def killed(self) -> bool:
        """Whether verify does not call it the same."""
        return self.verdict in {"differs", "failed"}

    @property
    def name(self) -> str:
        """`scan:17 lost lanes: offset < kWarp -> offset < kWarp / 2`."""
        one = self.mutant
        return f"{self.source}:{one.line} {one.operator}: {one.before} -> {one.after}"


@dataclass(slots=True)
class _Kept:
    """The original's side; a run is kept, for every mutant asks for the same ones."""

    side: KernelSide
    runs: dict[tuple[Any, ...], Outputs] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        return self.side.spec

    @property
    def reorders(self) -> bool:
        return self.side.reorders

    def run(self, inputs: Inputs, *, order: str = "in") -> Outputs:
        held = tuple(slot.value if slot.base is None else slot.base.tobytes() for slot in inputs.slots)
        if (order, held) not in self.runs:
            self.runs[order, held] = self.side.run(inputs, order=order)
        return self.runs[order, held]


def ported(folder: Path) -> Path:
    """The port of the kernels, in `folder`."""
    words = [sys.executable, "-m", "hipport", "port", str(HERE / "kernels"), "-o", str(folder), "-q"]
    ran = subprocess.run(words, check=False, capture_output=True, text=True)
    if ran.returncode not in {0, 1}:
        raise HipportError(f"the kernels are not ported: {ran.stderr.strip()[-500:]}")
    return folder


def candidates(port: Path, each: int) -> dict[str, list[Mutant]]:
    """The mutants of every source: at most `each` of one operator, spread over its places."""
    found = {}
    for path in sorted(port.glob("*.hip")):
        by_operator: dict[str, list[Mutant]] = {}
        for one in mutants(path.read_text(encoding="utf-8")):
            by_operator.setdefault(one.operator, []).append(one)
        found[path.stem] = [one for rows in by_operator.values() for one in _spread(rows, each)]
    return found


def _spread(rows: list[Mutant], count: int) -> list[Mutant]:
    if len(rows) <= count:
        return rows
    return [rows[at * len(rows) // count] for at in range(count)]


def batch(chosen: Sequence[str]) -> tuple[str, list[range]]:
    """One source with every text in a namespace of its own, `m0`, `m1`, ...; and the lines that each has there."""
    includes: dict[str, None] = {}
    parts, lines, at = [], [], 0
    for number, text in enumerate(chosen):
        rows = text.splitlines()
        includes |= dict.fromkeys(row for row in rows if row.startswith("#include"))
        body = [f"namespace m{number} {{", *(row for row in rows if not row.startswith("#include")), "}"]
        lines.append(range(at, at + len(body)))
        at += len(body)
        parts += body
    shift = len(includes) + 1
    return "\n".join([*includes, *parts]) + "\n", [range(r.start + shift, r.stop + shift) for r in lines]


def judged(source: str, chosen: Sequence[Mutant], port: Path, jobs: int = 2) -> list[Result]:
    """Every mutant of one source, and the unchanged port before them: it must be the same.

    Raises:
        HipportError: the unchanged port is not the same, or does not compile.
    """
    whole = (port / f"{source}.hip").read_text(encoding="utf-8")
    cases = [case for case in casefile.read(HERE / "verify.toml") if case.source == f"kernels/{source}.cu"]
    modules, originals = Modules(), {}
    for case in cases:
        originals[case.name] = _Kept(KernelSide(case, HERE / case.source, ORIGINAL, LIMITS, modules))
    with tempfile.TemporaryDirectory(prefix="hipport-mutants-") as scratch:
        path = Path(scratch) / "batch.hip"
        run = _Run(source, cases, originals, path, modules)
        living = run.build(whole, list(chosen))
        first = run.one(0, Mutant("", 0, "", "", whole))
        if first.verdict != Kind.SAME.value:
            raise HipportError(f"the port of {source} is flagged: {first.device}: {first.message}")
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(run.one, range(1, len(living) + 1), living))


@dataclass(frozen=True, slots=True)
class _Run:
    source: str
    cases: list[Case]
    originals: dict[str, _Kept]
    path: Path
    modules: Modules
    building: Lock = field(default_factory=Lock)

    def side(self, case: Case, number: int, spec: str) -> KernelSide:
        mutated = replace(case, kernel=f"m{number}::{case.kernel}", source=self.path.name)
        return KernelSide(mutated, self.path, spec, LIMITS, self.modules)

    def build(self, whole: str, chosen: list[Mutant]) -> list[Mutant]:
        """Compile the batch for the first device; mutants that are no program are left out. Gives the others."""
        while True:
            text, lines = batch([whole, *(one.text for one in chosen)])
            self.path.write_text(text, encoding="utf-8")
            try:
                self._built(DEVICES[0])
            except UntestedError:
                raise
            except HipportError as error:
                bad = {int(line) for line in re.findall(r"batch\.hip:(\d+)", str(error))}
                left = [one for one, rows in zip(chosen, lines[1:], strict=True) if not bad & set(rows)]
                if len(left) == len(chosen):
                    raise
                chosen = left
                self.modules.built.clear()
            else:
                return chosen

    def _built(self, spec: str) -> None:
        """Build the batch for a device once, whichever thread is first."""
        with self.building:
            self.side(self.cases[0], 0, spec)._kernel("in")

    def one(self, number: int, mutant: Mutant) -> Result:
        """Every case on the first device, then on the second, until one sees it."""
        seen = None
        for spec in DEVICES:
            self._built(spec)
            for case in self.cases:
                if not _concerns(case, mutant):
                    continue
                rows = self._judged(case, number, spec)
                seen = seen or next(((kind, spec, gate, said) for kind, gate, said in rows if kind != "same"), None)
            if seen and seen[0] in {"differs", "failed"}:
                break
        verdict, device, gate, said = seen or ("same", DEVICES[-1], "", "")
        close = self._allclose(number, mutant)
        return Result(self.source, number, mutant, verdict, device, gate, said, close)

    def _judged(self, case: Case, number: int, spec: str) -> list[tuple[str, str, str]]:
        answer = judge(KernelSubject(case), self.originals[case.name], self.side(case, number, spec), stop=True)
        return [
            (row.verdict.kind.value, row.gate or (row.verdict.kind.value if not row.verdict.differences else
             row.verdict.differences[0].what.value), _said(row.verdict))
            for row in answer.results
        ]  # fmt: skip

    def _allclose(self, number: int, mutant: Mutant) -> bool | None:
        """Whether the usual check sees it: one normal input, atol = rtol = 1e-2, values alone."""
        found: list[bool] = []
        for case in self.cases:
            if not _concerns(case, mutant):
                continue
            subject = KernelSubject(case)
            inputs = subject.made(middle(subject.points()))
            want = self.originals[case.name].run(inputs)
            try:
                got = self.side(case, number, DEVICES[0]).run(inputs)
            except (FaultError, InconclusiveError):
                return None
            found += [not _close(got.forward[name].values(), tensor.values()) for name, tensor in want.forward.items()]
        return any(found)


def _said(verdict: Any) -> str:
    return verdict.differences[0].message if verdict.differences else verdict.reason


def _close(got: Any, want: Any) -> bool:
    """torch.allclose(got, want, rtol=1e-2, atol=1e-2, equal_nan=True)."""
    return bool(np.allclose(got, want, rtol=1e-2, atol=1e-2, equal_nan=True))


def _concerns(case: Case, mutant: Mutant) -> bool:
    """Whether the case's kernel can see it: a change within another kernel of the source is not its own."""
    rows = mutant.text.splitlines()
    starts = {n: row for n, row in enumerate(rows, 1) if "__global__" in row}
    within = [row for n, row in starts.items() if n <= mutant.line]
    return not within or re.search(rf"\b{case.kernel}\(", within[-1]) is not None


def survivors() -> dict[str, tuple[bool, str]]:
    """The explained survivors: name -> (equivalent, reason)."""
    from hipport.config import parsed

    path = HERE / "survivors.toml"
    rows = parsed(path.read_text(encoding="utf-8"), path)["survivor"]
    return {row["name"]: (row["equivalent"], row["reason"]) for row in rows}


def run(each: int, sources: Sequence[str] = (), jobs: int = 2) -> Iterator[Result]:
    """The results of every mutant of the named sources, or of all."""
    with tempfile.TemporaryDirectory(prefix="hipport-mutants-") as scratch:
        port = ported(Path(scratch) / "port")
        for source, chosen in candidates(port, each).items():
            if not sources or source in sources:
                yield from judged(source, chosen, port, jobs)
