"""Runs of kernels and of whole programs as text or as JSON (docs/run.md)."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.device.executor import Fault, FaultError
    from hipport.device.program.run import ProgramRun
    from hipport.device.request import KernelRun

SCHEMA = "hipport.run/1"
_SCALAR = {"scalar", "scalar_memory", "branch", "barrier", "other"}  # classes that have no lanes
_WAVE = 64  # lanes that a vector instruction of the modelled targets has


def kernel_text(run: KernelRun) -> str:
    """What a kernel printed, then how it ran, then its arrays."""
    launched = run.launched
    shape = f"grid {_shape(launched.grid)}, block {_shape(launched.block)}"
    lds = f", {launched.shared} bytes of dynamic LDS" if launched.shared else ""
    lines = [launched.printed.rstrip("\n")] if launched.printed else []
    lines.append(f"{launched.kernel} on {launched.device}: {shape}{lds}, {launched.seconds * 1e3:.1f} ms here")
    lines.append(f"fidelity: {_fidelity(launched.fidelity.value, launched.approximate)}")
    for row in run.arrays:
        if row.values:
            lines.append(f"{row.name} {row.dtype}{list(row.shape)}: {' '.join(map(_number, row.values))}")
        if row.saved:
            lines.append(f"{row.name}: written to {row.saved}")
        if row.compared:
            lines.append(f"{row.name}: {'DIFFERS: ' + row.difference if row.difference else 'as expected'}")
    return "\n".join([*lines, *_counts(launched.counts)]) + "\n"


def kernel_json(run: KernelRun) -> str:
    """The same, as one object."""
    launched = run.launched
    row = asdict(launched)
    row["counts"] = dict(launched.counts)
    row |= {
        "schema": SCHEMA,
        "event": "kernel",
        "arrays": [asdict(array) for array in run.arrays],
        "differs": run.differs,
    }
    return json.dumps(finite(row), indent=2) + "\n"


def program_text(run: ProgramRun) -> str:
    """How a program ended and what its kernels did; its own output is not repeated."""
    lines = [f"program on {run.device}: {_ended(run)}, {run.seconds:.2f} s here"]
    bounds = dict.fromkeys(name for kernel in run.kernels for name in kernel.approximate)
    lines.append(f"fidelity: {_fidelity(run.fidelity.value, tuple(bounds))}")
    if run.fault:
        lines += fault_lines(run.fault)
    for refused in run.refused:
        lines.append(f"refused: {refused.kernel}: {refused.hip_error}: {refused.message}")
    for kernel in run.kernels:
        shape = f"grid {_shape(kernel.grid)}, block {_shape(kernel.block)}"
        lines.append(f"  {kernel.kernel}: {kernel.launches} launches, last {shape}, {kernel.seconds * 1e3:.1f} ms here")
        lines += [f"    {line.strip()}" for line in _counts(kernel.counts)]
    return "\n".join(lines) + "\n"


def program_json(run: ProgramRun) -> str:
    """The same, as one object, with the program's output where it was kept."""
    row = asdict(run)
    row |= {"schema": SCHEMA, "event": "program", "ended": run.ended.value, "fidelity": run.fidelity.value}
    return json.dumps(finite(row), indent=2) + "\n"


def fault_lines(fault: Fault) -> list[str]:
    """A fault with its place in the source and in the grid."""
    head = f"{fault.where}: {fault.message}" if fault.where else fault.message
    lines = [f"{fault.kind}: {head}"]
    if fault.kernel and not fault.hip_error:
        place = f"block {list(fault.block)}, thread {list(fault.thread)}, wave {fault.wave}"
        lines.append(f"  in {fault.kernel}, {place}" + (f", at {fault.opcode}" if fault.opcode else ""))
    return lines


def fault_text(error: FaultError) -> str:
    """What the kernel printed before its fault, and the fault."""
    printed = [error.printed.rstrip("\n")] if error.printed.strip() else []
    name = f"{error.fault.hip_error}: " if error.fault.hip_error else ""
    first, *rest = fault_lines(error.fault)
    return "\n".join([*printed, name + first, *rest]) + "\n"


def fault_json(error: FaultError) -> str:
    """The same, as one object."""
    row = {"schema": SCHEMA, "event": "fault", "fault": asdict(error.fault), "printed": error.printed}
    return json.dumps(row | {"exit_code": int(error.exit_code)}, indent=2) + "\n"


def _ended(run: ProgramRun) -> str:
    return {
        "own exit code": f"ended with its own exit code {run.code}",
        "signal": f"ended by signal {-run.code}",
        "not provided": f"stopped: not provided: {run.missing}",
    }.get(run.ended.value, run.ended.value)


def _fidelity(kind: str, bounds: Sequence[str]) -> str:
    return f"{kind} ({', '.join(bounds)})" if bounds else kind


def _shape(extents: Sequence[int]) -> str:
    kept = list(extents)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return "x".join(map(str, kept))


def _number(value: float) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _counts(counts: Mapping[str, Any]) -> list[str]:
    """The counters that are not zero, as lines."""
    if not counts:
        return []
    classes = {name: n for name, n in counts["instructions"].items() if n}
    vector = sum(n for name, n in classes.items() if name not in _SCALAR)
    lines = [f"counts: {counts['retired']} instructions of {counts['waves']} waves"]
    lines.append("  by class: " + ", ".join(f"{name} {n}" for name, n in classes.items()))
    if vector and counts.get("vector_lanes"):
        lines.append(f"  active lanes: {counts['vector_lanes'] / (_WAVE * vector):.1%} of vector instructions'")
    rows = [
        f"{name.removesuffix('_bytes').replace('_', ' ')} {n}"
        for name, n in counts.items()
        if name.endswith("_bytes") and n
    ]
    if rows:
        lines.append("  bytes: " + ", ".join(rows))
    if counts.get("lds_accesses"):
        lines.append(
            f"  LDS: {counts['lds_accesses']} accesses, {counts['lds_conflicts']} extra passes for bank conflicts"
        )
    for place in ("global", "lds"):
        if counts.get(f"{place}_atomic_lanes"):
            worst = counts[f"{place}_atomic_worst"]
            lines.append(f"  {place} atomics: {counts[f'{place}_atomic_lanes']} updates, most of one address {worst}")
    return lines


def finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value
