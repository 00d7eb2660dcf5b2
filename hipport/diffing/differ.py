"""Two recordings -> verdicts, by the contracts of the first: what machines that cannot reach each other gave."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.device.program.anywhere import ProgramOutput
from hipport.diffing import gates
from hipport.diffing.cases import CaseKind, Point
from hipport.diffing.compare import compare
from hipport.diffing.judge import DIRECTIONS, Judged, PointResult
from hipport.diffing.program import Compared, compared
from hipport.diffing.verdict import Kind, Verdict
from hipport.diffing.verify import Verified

if TYPE_CHECKING:
    from hipport.diffing.contract import Contract
    from hipport.diffing.recording import Recorded, RecordedCase, Recording
    from hipport.diffing.sides import Outputs


def diffed(original: Recording, port: Recording, contract: Contract | None = None) -> Verified:
    """The answer for every case of the first recording. `contract` stands for the recorded ones if it is given."""
    others = {case.name: case for case in port.cases}
    rows = [_case(case, others.get(case.name), original.device, port.device, contract) for case in original.cases]
    extra = [name for name in others if name not in {case.name for case in original.cases}]
    rows += [_lone(name, original.device, port.device, "the first recording has no such case") for name in extra]
    return Verified(tuple(rows))


def _lone(name: str, original: str, port: str, reason: str) -> Judged:
    row = PointResult(Point({}), "forward", Verdict(Kind.UNPROVEN, reason))
    return Judged(name, original, port, "", (row,))


def _case(
    first: RecordedCase, second: RecordedCase | None, original: str, port: str, contract: Contract | None
) -> Judged:
    if second is None:
        return _lone(first.name, original, port, "the second recording has no such case")
    theirs = {row.point.key: row for row in second.points}
    floor = max(first.floor, 0.0)
    told = (contract or first.contract).with_floor(floor)
    if contract is not None:
        told = told.with_length(first.contract.length)
    rows: list[PointResult] = []
    for row in first.points:
        rows += _point(first, row, theirs.get(row.point.key), told)
    seconds = [sum(sum(r.outputs.seconds) for r in side.points if r.outputs) for side in (first, second)]
    done = all(row.verdict.kind is Kind.SAME for row in rows)
    refused = gates.degenerate([r.outputs for r in first.points if r.outputs]) if done else ""
    if refused and first.kind != CaseKind.PROGRAM.value:
        rows.append(PointResult(first.points[0].point, "forward", Verdict(Kind.UNPROVEN, refused), "degenerate"))
    notes = (f"the original itself differs by {floor:.2g} of the scale between runs",) if floor else ()
    name = f"rtol {first.rules.get('rtol', 0):g}" if first.kind == CaseKind.PROGRAM.value else told.name
    return Judged(
        first.name, original, port, name, tuple(rows), floor, notes, (seconds[0], seconds[1]) if done else (0.0, 0.0)
    )


def _point(case: RecordedCase, want: Recorded, got: Recorded | None, contract: Contract) -> list[PointResult]:
    def unproven(reason: str, kind: Kind = Kind.UNPROVEN) -> list[PointResult]:
        return [PointResult(want.point, "forward", Verdict(kind, reason))]

    if want.outputs is None:
        return unproven(f"the first recording has no outputs: {want.problem}")
    if got is None:
        return unproven("the second recording has no such point")
    if got.inputs != want.inputs:
        return unproven("the inputs are not the same (their digests differ): nothing can be compared")
    if got.outputs is None:
        return unproven(got.problem, Kind.UNPROVEN if got.untested else Kind.FAILED)
    if case.kind == CaseKind.PROGRAM.value:
        rules = Compared(tuple(case.rules["files"]), tuple(case.rules["ignore"]), float(case.rules["rtol"]))
        return [PointResult(want.point, "forward", compared(rules, _program(want.outputs), _program(got.outputs)))]
    rows = []
    for direction in DIRECTIONS:
        theirs = getattr(want.outputs, direction)
        if not theirs and direction == "backward":
            continue
        verdict = compare(
            getattr(got.outputs, direction),
            theirs,
            contract,
            owners=want.outputs.owners,
            unordered=frozenset(case.unordered),
        )
        noticed = gates.noticed(got.outputs, want.outputs, direction)
        if noticed:
            verdict = replace(verdict, kind=Kind.DIFFERS, differences=(*noticed, *verdict.differences))
        rows.append(PointResult(want.point, direction, verdict, "", want.outputs, got.outputs))
    return rows


def _program(outputs: Outputs) -> ProgramOutput:
    files = {n.removeprefix("file "): t.data.tobytes() for n, t in outputs.forward.items() if n.startswith("file ")}
    text = outputs.forward["stdout"].data.tobytes().decode("utf-8", "replace")
    return ProgramOutput(int(outputs.forward["exit status"].data[0]), text, files)
