"""Verdicts of `hipport verify`, `diff` as text and as JSON (docs/verify.md)."""

from __future__ import annotations

import json
from dataclasses import asdict
from io import StringIO
from typing import TYPE_CHECKING, Any

from hipport.report.execution import finite

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.diffing.judge import Judged, PointResult
    from hipport.diffing.recording import Recording
    from hipport.diffing.verdict import Difference, Verdict
    from hipport.diffing.verify import Verified

SCHEMA = "hipport.verify/1"
WIDTH = 160
_NUMBERS = {"points", "worst ulp", "of scale"}


def text(verified: Verified, *, verbose: bool = False) -> str:
    """A table of verdicts, then what differs and where."""
    lines = [_table(verified)]
    for one in verified.judged:
        lines += case_lines(one, verbose=verbose)
    kinds: dict[str, int] = {}
    for one in verified.judged:
        kinds[one.kind.value] = kinds.get(one.kind.value, 0) + 1
    lines.append(", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no case")
    return "\n".join(lines) + "\n"


def _table(verified: Verified) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("case", "original", "port", "contract", "direction", "points", "verdict", "worst ulp", "of scale"):
        table.add_column(name, justify="right" if name in _NUMBERS else "left", overflow="fold")
    for one in verified.judged:
        for direction in one.directions:
            verdict = one.verdict(direction)
            points = sum(1 for row in one.results if row.direction == direction and not row.gate)
            row = (one.name, one.original, one.port, one.contract, direction, str(points), verdict.kind.value)
            table.add_row(*row, *worst_words(verdict))
    stream = StringIO()
    Console(file=stream, width=WIDTH, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in stream.getvalue().strip("\n").splitlines()) + "\n"


def worst_words(verdict: Verdict) -> tuple[str, str]:
    """The worst error in ULP and as a part of the scale."""
    rows = verdict.differences or verdict.margins
    if not rows:
        return "", ""
    return f"{max(row.worst_ulp for row in rows):.4g}", f"{max(row.relative for row in rows):.2g}"


def case_lines(one: Judged, *, verbose: bool = False) -> list[str]:
    """What differs and where, or why nothing could be told."""
    lines: list[str] = []
    for direction in one.directions:
        verdict = one.verdict(direction)
        shown = [row for row in one.results if row.direction == direction and row.verdict is verdict]
        where = f" at {shown[0].point.label}" if shown and shown[0].point.label else ""
        gate = f" [{shown[0].gate}]" if shown and shown[0].gate else ""
        if verdict.kind.value != "same":
            lines.append(f"{one.name} on {one.port}, {direction}{where}{gate}: {verdict.kind.value}")
            lines += [f"  {verdict.reason}"] if verdict.reason else []
            for found in verdict.differences:
                lines += _difference(found)
    if one.kind.value != "same" and one.suspects:
        lines.append(f"  suspected rules: {', '.join(one.suspects)}")
    if verbose:
        lines += [
            f"  {row.point.label} {row.direction}{f' [{row.gate}]' if row.gate else ''}: {row.verdict.text}"
            for row in one.results
        ]
    lines += [f"  note: {note}" for note in one.notes]
    if any(one.seconds):
        ours, theirs = one.seconds[1], one.seconds[0]
        ratio = f", {theirs / ours:.2f} times as fast" if ours and theirs else ""
        if not one.port.startswith(("isa", "wave")) and not one.original.startswith(("isa", "wave")):
            lines.append(f"  time: original {theirs * 1e3:.3f} ms, port {ours * 1e3:.3f} ms{ratio}")
    return lines


def _difference(found: Difference) -> list[str]:
    lines = [f"  {found.message}"]
    if found.spread.lanes:
        lines.append(f"  lanes 0 |{found.spread.bar[:32]}|{found.spread.bar[32:]}| 63")
    if found.spread.blocks:
        worst = ", ".join(f"{block} ({count})" for block, count in found.spread.blocks[:6])
        lines.append(f"  wrong in {found.spread.block_count} blocks: {worst}")
    return lines


def as_json(verified: Verified) -> str:
    """The same, as one object."""
    row = {
        "schema": SCHEMA,
        "verdict": verified.kind.value,
        "exit_code": int(verified.exit_code),
        "cases": [judged_json(one) for one in verified.judged],
    }
    return json.dumps(finite(row), indent=2) + "\n"


def judged_json(one: Judged) -> dict[str, Any]:
    """One case as plain data."""
    return {
        "name": one.name,
        "original": one.original,
        "port": one.port,
        "contract": one.contract,
        "verdict": one.kind.value,
        "directions": {d: one.verdict(d).kind.value for d in one.directions},
        "floor": one.floor,
        "notes": list(one.notes),
        "suspects": list(one.suspects),
        "seconds": list(one.seconds),
        "inputs": one.inputs_digest,
        "points": [_point_json(row) for row in one.results],
    }


def _point_json(row: PointResult) -> dict[str, Any]:
    point = row.point
    return {
        "sizes": dict(point.sizes),
        "family": point.family,
        "layout": point.layout,
        "seed": point.seed,
        "direction": row.direction,
        "gate": row.gate,
        "verdict": row.verdict.kind.value,
        "reason": row.verdict.reason,
        "differences": [_difference_json(found) for found in row.verdict.differences],
        "margins": [asdict(margin) for margin in row.verdict.margins],
    }


def _difference_json(found: Difference) -> dict[str, Any]:
    row = asdict(found)
    row["what"] = found.what.value
    row["lanes"] = found.spread.text
    return row


def recording_text(recording: Recording, path: Path) -> str:
    """What was recorded, and what could not be."""
    lines = []
    for case in recording.cases:
        good = sum(1 for row in case.points if row.outputs is not None)
        lines.append(f"{case.name}: {good} of {len(case.points)} points on {recording.device}")
        lines += [f"  {row.point.label}: {row.problem}" for row in case.points if row.problem]
    return "\n".join([*lines, f"written to {path}"]) + "\n"


def recording_json(recording: Recording, path: Path) -> str:
    """The same, as one object."""
    cases = [
        {
            "name": case.name,
            "points": [{"label": r.point.label, "inputs": r.inputs, "problem": r.problem} for r in case.points],
        }
        for case in recording.cases
    ]
    row = {
        "schema": "hipport.record/1",
        "file": str(path),
        "device": recording.device,
        "header": dict(recording.header),
    }
    return json.dumps(finite({**row, "cases": cases}), indent=2) + "\n"
