"""run_case: a case of an extension in a process of its own, with limits; its tensors come back as arrays."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.executor import Fault, Fidelity, InconclusiveError, Limits
from hipport.device.outcome import raise_fault
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hipport.device.torch_extension.building import Extension

PATTERNS = (0xFF, 0x5A)  # of fresh memory, one a pass: what still holds both was never written


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """A tensor. `data` has numpy's own dtype; bfloat16 is widened to float32, and `dtype` keeps its name."""

    dtype: str
    data: np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """What one run of a case gave.

    `inputs`, `forward` and `backward` are tensors by name: an input's gradient has the input's name. `unwritten` are
    elements (flat masks) that hold what fresh memory held; `overwritten` are inputs whose bits changed. `kernels` are
    (name, launches).
    """

    inputs: Mapping[str, Array]
    forward: Mapping[str, Array]
    backward: Mapping[str, Array]
    unwritten: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    overwritten: tuple[str, ...] = ()
    kernels: tuple[tuple[str, int], ...] = ()
    fidelity: Fidelity = Fidelity.EXACT
    approximate: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    printed: str = ""


def run_case(
    extension: Extension,
    case: Path,
    *,
    seed: int = 1,
    values: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
) -> CaseRun:
    """Run `inputs` and `run` of a Python file with the extension: forward, and backward where an output has a gradient.

    Args:
        extension: what build_extension gave.
        case: defines `inputs(seed, ...)` -> tensors by name, `run(ext, inputs)` -> a tensor, a tuple or tensors by
            name, and perhaps `backward(ext, inputs, outputs, grads)` -> tensors by name. `ext` is the compiled module;
            the extension's own packages can be imported.
        seed: of the inputs and of the gradients, which are neither 1 nor uniform.
        values: more arguments for `inputs`, as far as it takes them: sizes, a family.
        limits: of the process.

    Raises:
        FaultError: a kernel did what it may not.
        InconclusiveError: over a limit of time or memory, or ended by a signal.
        UntestedError: something is not provided here.
        HipportError: the case raises; with its last line.
    """
    kept = limits or Limits()
    if not case.is_file():
        raise UsageError("there is no such file", where=str(case))
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        scratch = Path(text)
        request = {
            "site": str(extension.site),
            "modules": extension.modules,
            "case": str(case.resolve()),
            "seed": seed,
            "values": dict(values or {}),
            "patterns": PATTERNS,
            "memory": kept.memory,
        }
        (scratch / "request.json").write_text(json.dumps(request), encoding="utf-8")
        code, printed = _child(extension, scratch, kept)
        return _read(scratch, code, printed, kept)


def _child(extension: Extension, scratch: Path, limits: Limits) -> tuple[int | None, str]:
    from hipport.device.torch_extension.devices import environment
    from hipport.toolchain.process import run

    env = {**environment(extension.device, scratch, limits), "HIPPORT_RESULT": str(scratch / "result.jsonl")}
    words = [sys.executable, "-m", "hipport.device.torch_extension.child", str(scratch)]
    ran = run(words, limit=limits.seconds, env=env, cwd=scratch)
    return ran.code, ran.output


def _read(scratch: Path, code: int | None, printed: str, limits: Limits) -> CaseRun:
    rows = scratch / "result.jsonl"
    events = [json.loads(line) for line in rows.read_text("utf-8", "replace").splitlines()] if rows.is_file() else []
    for row in events:
        if row["event"] == "fault" and row["kind"] != 1:  # a refused launch is the extension's to see
            raise_fault(row["kind"], row, printed)
        if row["event"] == "not_provided":
            raise UntestedError(f"not provided: {row['name']}")
    if code is None:
        raise InconclusiveError(Fault("time_limit", f"the case was ended at its limit of {limits.seconds:g} s"))
    answer = scratch / "answer.json"
    if not answer.is_file():
        raise _died(code, printed, limits)
    row = json.loads(answer.read_text(encoding="utf-8"))
    if row.get("lacks"):
        raise UntestedError(row["lacks"])
    if row.get("raised"):
        raise HipportError(row["raised"], where=row["where"])
    return _case_run(row, scratch, [one for one in events if one["event"] == "kernel"], printed)


def _died(code: int, printed: str, limits: Limits) -> HipportError:
    last = printed.strip().splitlines()[-1:] or [""]
    if "Cannot allocate memory" in printed or "MemoryError" in printed:
        return InconclusiveError(Fault("memory_limit", f"the case needs more than {limits.memory >> 20} MiB"))
    reason = f"signal {-code}" if code < 0 else f"exit code {code}"
    return InconclusiveError(Fault("child", f"the case's process ended by {reason}: {last[0]}"), printed=printed)


def _case_run(row: dict[str, Any], scratch: Path, kernels: list[dict[str, Any]], printed: str) -> CaseRun:
    import numpy as np

    def arrays(kind: str) -> dict[str, Array]:
        return {one["name"]: Array(one["dtype"], np.load(scratch / one["file"])) for one in row[kind]}

    approximate = tuple(dict.fromkeys(text for one in kernels for text in one["approximate"]))
    return CaseRun(
        inputs=arrays("inputs"),
        forward=arrays("forward"),
        backward=arrays("backward"),
        unwritten={one["name"]: np.load(scratch / one["file"]) for one in row["unwritten"]},
        overwritten=tuple(row["overwritten"]),
        kernels=tuple((one["kernel"], one["launches"]) for one in kernels),
        fidelity=Fidelity.APPROXIMATE if approximate else Fidelity.EXACT,
        approximate=approximate,
        seconds=tuple(row["seconds"]),
        printed=printed,
    )
