"""Runs a case on two sides, compares every point, tries the gates, and says same, differs, unproven or failed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hipport.device.executor import FaultError, InconclusiveError
from hipport.diffing import gates
from hipport.diffing.compare import compare, spread_of
from hipport.diffing.contract import Grade
from hipport.diffing.verdict import Difference, Kind, Verdict, worst
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hipport.diffing.cases import Case, Point
    from hipport.diffing.formats import Tensor
    from hipport.diffing.sides import Outputs, Side, Subject

DIRECTIONS = ("forward", "backward")
RUNS = 3  # of the original in other orders, to learn its own spread


@dataclass(frozen=True, slots=True, eq=False)
class PointResult:
    """The verdict of one point and direction. `gate` names the detector that gave it, or is empty."""

    point: Point
    direction: str
    verdict: Verdict
    gate: str = ""
    want: Outputs | None = None
    got: Outputs | None = None
    inputs: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A case's answer. `floor` is the original's own spread; `seconds` (original, port) are 0 unless all passed."""

    name: str
    original: str
    port: str
    contract: str
    results: tuple[PointResult, ...]
    floor: float = 0.0
    notes: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    inputs_digest: str = ""
    suspects: tuple[str, ...] = ()
    case: Case | None = None
    source: Path | None = None  # of the port

    def verdict(self, direction: str = "") -> Verdict:
        """The answer for a direction, or for all; of those that agree the first is shown."""
        rows = [row.verdict for row in self.results if direction in {"", row.direction}]
        kind = worst([row.kind for row in rows])
        if kind is Kind.SAME:
            margins = [m for row in rows for m in row.margins]
            names = dict.fromkeys(m.output for m in margins)
            top = [max((m for m in margins if m.output == n), key=lambda m: m.relative) for n in names]
            return Verdict(kind, margins=tuple(top))
        found = [row for row in rows if row.kind is kind]
        # the one that says most: where lanes are known and few of them are wrong
        return max(found, key=_telling) if found else Verdict(kind, "nothing was run")

    @property
    def kind(self) -> Kind:
        """The answer for the whole case."""
        return self.verdict().kind

    @property
    def directions(self) -> tuple[str, ...]:
        """Those that were compared."""
        return tuple(d for d in DIRECTIONS if any(row.direction == d for row in self.results)) or ("forward",)


def _telling(verdict: Verdict) -> tuple[bool, int]:
    spread = verdict.differences[0].spread if verdict.differences else None
    if spread is None or not spread.lanes:
        return False, verdict.differences[0].count if verdict.differences else 0
    clean = sum(1 for bad, every in spread.lanes if every and not bad)
    return 0 < clean < len(spread.lanes), sum(every for _, every in spread.lanes)


def judge(
    subject: Subject,
    original: Side,
    port: Side,
    *,
    stop: bool = False,
    gated: bool = True,
    keep: bool = False,
) -> Judged:
    """The answer for one case.

    Args:
        subject: the case.
        original: the CUDA side.
        port: the HIP side.
        stop: end at the first point that is not the same.
        gated: try the detectors too.
        keep: keep every point's outputs in the results, for plots.
    """
    return _Judging(subject, original, port, stop, gated, keep).judged()


@dataclass
class _Judging:
    subject: Subject
    original: Side
    port: Side
    stop: bool
    gated: bool
    keep: bool
    hopeless: bool = False  # the port does not build, or its device is not here: no other point can do better

    def judged(self) -> Judged:
        points = self.subject.points()
        rows: list[PointResult] = []
        notes: list[str] = []
        floor, first_digest, name = 0.0, "", ""
        seconds = [0.0, 0.0]
        seen: list[Outputs] = []
        try:
            probe = middle(points)
            floor, said = self._floor(probe)
            notes += said
            for point in points:
                inputs = self.subject.made(point)
                first_digest = first_digest or inputs.digest
                contract = self.subject.contract(inputs)
                name = contract.name
                found = self._point(point, inputs, floor, seconds, seen)
                rows += found
                if self.hopeless or (self.stop and any(row.verdict.kind is not Kind.SAME for row in found)):
                    break
            if self.gated and all(row.verdict.kind is Kind.SAME for row in rows):
                rows += list(self._gates(probe, seen, floor))
        except _OriginalError as error:
            rows.append(PointResult(error.point, "forward", error.verdict))
        done = all(row.verdict.kind is Kind.SAME for row in rows)
        return Judged(
            self.subject.name,
            self.original.spec,
            self.port.spec,
            name,
            tuple(rows),
            floor,
            tuple(notes),
            (seconds[0], seconds[1]) if done else (0.0, 0.0),
            first_digest,
        )

    def _floor(self, point: Point) -> tuple[float, list[str]]:
        """The original's own spread over orders of waves and blocks at one point, and what to say of it."""
        others = [f"random:{seed}" if self.original.reorders else "in" for seed in range(1, RUNS)]
        inputs = self.subject.made(point)
        runs = [self._original(point, inputs, order) for order in ["in", *others]]
        floor, whole = spread_of([{**run.forward, **run.backward} for run in runs])
        if whole and not self.subject.unordered:
            reason = "the original's own whole numbers differ between runs: say `unordered`, or compare what is defined"
            raise _OriginalError(point, Verdict(Kind.UNPROVEN, reason))
        notes = [f"the original itself differs by {floor:.2g} of the scale between runs"] if floor else []
        return floor, notes

    def _original(self, point: Point, inputs: Any, order: str = "in") -> Outputs:
        try:
            return self.original.run(inputs, order=order)
        except FaultError as error:
            said = error.fault.message + (f" ({error.fault.where})" if error.fault.where else "")
            text = f"the original cannot be judged on {self.original.spec}: {said}"
            raise _OriginalError(point, Verdict(Kind.UNPROVEN, text)) from error
        except UsageError:
            raise
        except HipportError as error:
            raise _OriginalError(point, Verdict(Kind.UNPROVEN, f"the original does not run: {error.what}")) from error

    def _port(self, inputs: Any) -> Outputs | Verdict:
        try:
            return self.port.run(inputs)
        except InconclusiveError as error:
            return Verdict(Kind.UNPROVEN, f"{self.port.spec}: {error.fault.message}")
        except UntestedError as error:
            self.hopeless = True
            return Verdict(Kind.UNPROVEN, error.what)
        except FaultError as error:
            where = f" ({error.fault.where})" if error.fault.where else ""
            return Verdict(Kind.FAILED, f"the port faults: {error.fault.kind}: {error.fault.message}{where}")
        except UsageError:
            raise
        except HipportError as error:
            self.hopeless = True
            return Verdict(Kind.FAILED, f"the port: {error.what}")

    def _point(
        self, point: Point, inputs: Any, floor: float, seconds: list[float], seen: list[Outputs]
    ) -> list[PointResult]:
        want = self._original(point, inputs)
        seen.append(want)
        got = self._port(inputs)
        if isinstance(got, Verdict):
            return [PointResult(point, "forward", got)]
        seconds[0] += sum(want.seconds)
        seconds[1] += sum(got.seconds)
        contract = self.subject.contract(inputs).with_floor(floor)
        oracle = self.subject.oracle(inputs)
        rows = []
        for direction in DIRECTIONS:
            theirs: Mapping[str, Tensor] = getattr(want, direction)
            if not theirs and direction == "backward":
                continue
            verdict = compare(
                getattr(got, direction),
                theirs,
                contract,
                oracle=oracle,
                owners=want.owners,
                unordered=self.subject.unordered,
            )
            noticed: tuple[Difference, ...] = gates.noticed(got, want, direction)
            if noticed:
                verdict = replace(verdict, kind=Kind.DIFFERS, differences=(*noticed, *verdict.differences))
            kept = (want, got) if self.keep or verdict.kind is not Kind.SAME else (None, None)
            rows.append(PointResult(point, direction, verdict, "", kept[0], kept[1], inputs.digest))
        return rows

    def _gates(self, point: Point, seen: list[Outputs], floor: float) -> Iterator[PointResult]:
        """The detectors that need further runs, at one point, once every point was the same."""
        refused = gates.degenerate(seen)
        if refused:
            yield PointResult(point, "forward", Verdict(Kind.UNPROVEN, refused), "degenerate")
            return
        plain = self.subject.made(point)
        contract = self.subject.contract(plain).with_floor(floor)
        base = self._original(point, plain), self._port(plain)
        exact = replace(contract, grade=Grade.EXACT) if not floor else contract
        for gate in gates.reruns(self.subject.inputs):
            inputs = self.subject.made(point, stale=gate.stale, other=gate.other)
            want, got = self._original(point, inputs), self._port(inputs)
            if isinstance(got, Verdict) or isinstance(base[1], Verdict):
                continue
            verdict = gates.judged(gate, base, (want, got), contract, exact, self.subject.unordered)
            if verdict is not None:
                yield PointResult(point, "forward", verdict, gate.name)


class _OriginalError(Exception):
    """The original gives nothing to compare with."""

    def __init__(self, point: Point, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.point = point
        self.verdict = verdict


def middle(points: tuple[Point, ...]) -> Point:
    """A point that is neither trivial nor large: the middle one of the first family by the product of its sizes."""
    plain = [p for p in points if p.family == points[0].family and p.layout == points[0].layout]

    def size(point: Point) -> int:
        product = 1
        for value in point.sizes.values():
            product *= value
        return product

    return sorted(plain, key=size)[(len(plain) * 2) // 3 if len(plain) > 2 else len(plain) - 1]
