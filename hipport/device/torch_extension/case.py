"""run_case: a case of an extension in a process of its own, with limits; its tensors come back as arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hipport.device.executor import Fault, Fidelity, InconclusiveError, Limits
from hipport.device.outcome import raise_fault
from hipport.device.signature import short_name
from hipport.device.torch_extension.session import Session
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np

    from hipport.device.torch_extension.building import Extension
    from hipport.device.torch_extension.session import Reply

PATTERNS = (0xFF, 0x5A)  # of fresh memory, one a pass: what still holds both was never written
STALE = (0x3D, 0xC1)  # others: what depends on fresh memory is another number with these
_REFUSED = 1  # HIPPORT_REFUSED: a refused launch is the extension's own to see


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """A tensor. bfloat16 and fp8 are kept as their bits, as integers; `dtype` is PyTorch's name."""

    dtype: str
    data: np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """What one run of a case gave.

    `inputs`, `forward` and `backward` are tensors by name: an input's gradient has the input's name. `truth` is both in
    float64, where the case defines it. `unwritten` are elements (flat masks) that hold what fresh memory held;
    `overwritten` are inputs whose bits changed. `kernels` are
    (name, launches); `seconds` are this CPU's, forward and backward.
    """

    inputs: Mapping[str, Array]
    forward: Mapping[str, Array]
    backward: Mapping[str, Array]
    truth: Mapping[str, Array] = field(default_factory=dict)
    unwritten: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    overwritten: tuple[str, ...] = ()
    kernels: tuple[tuple[str, int], ...] = ()
    fidelity: Fidelity = Fidelity.EXACT
    approximate: tuple[str, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a case is run with.

    `values` are more arguments for its `inputs`, as far as they take them: sizes, a family. `other` is an input that is
    made from another seed, `*` all of them. `patterns` fill fresh memory, one pass each.
    """

    case: Path
    seed: int = 1
    values: Mapping[str, Any] = field(default_factory=dict)
    other: str = ""
    patterns: Sequence[int] = PATTERNS


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
            name; perhaps `backward(ext, inputs, outputs, grads)` -> tensors by name, and `truth(inputs)` -> the
            outputs computed in float64 from inputs in float64. `ext` is the compiled module; the extension's own
            packages can be imported.
        seed: of the inputs and of the gradients, which are neither 1 nor uniform.
        values: more arguments for `inputs`, as far as it takes them.
        limits: of the process.

    Raises: see `answered`.
    """
    with Session(extension, limits or Limits()) as session:
        return answered(session, Asked(case, seed, values or {}))


def answered(session: Session, asked: Asked) -> CaseRun:
    """One run in a session.

    Raises:
        FaultError: a kernel did what it may not.
        InconclusiveError: over a limit of time or memory, or ended by a signal.
        UntestedError: something is not provided here.
        HipportError: the case raises; with its last line.
    """
    reply = _asked(session, asked)
    return _case_run(_answer(reply, session.limits), reply)


def _asked(session: Session, asked: Asked) -> Reply:
    if not asked.case.is_file():
        raise UsageError("there is no such file", where=str(asked.case))
    row = {
        "case": str(asked.case.resolve()),
        "seed": asked.seed,
        "values": dict(asked.values),
        "other": asked.other,
        "patterns": list(asked.patterns),
    }
    return session.ask(row)


def _answer(reply: Reply, limits: Limits) -> dict[str, Any]:
    for event in reply.events:
        if event["event"] == "fault" and event["kind"] != _REFUSED:
            raise_fault(event["kind"], dict(event), reply.printed)
        if event["event"] == "not_provided":
            raise UntestedError(f"not provided: {event['name']}")
    if reply.late:
        raise InconclusiveError(Fault("time_limit", f"the case was ended at its limit of {limits.seconds:g} s"))
    answer = reply.folder / "answer.json"
    if not answer.is_file():
        raise _died(reply, limits)
    row: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    if row.get("lacks"):
        raise UntestedError(row["lacks"])
    if row.get("raised"):
        raise HipportError(row["raised"], where=row["where"])
    return row


def _died(reply: Reply, limits: Limits) -> HipportError:
    last = reply.printed.strip().splitlines()[-1:] or [""]
    if "Cannot allocate memory" in reply.printed or "MemoryError" in reply.printed:
        return InconclusiveError(Fault("memory_limit", f"the case needs more than {limits.memory >> 20} MiB"))
    code = reply.code or 0
    reason = f"signal {-code}" if code < 0 else f"exit code {code}"
    return InconclusiveError(Fault("child", f"the case's process ended by {reason}: {last[0]}"), printed=reply.printed)


def _case_run(row: Mapping[str, Any], reply: Reply) -> CaseRun:
    import numpy as np

    def arrays(kind: str) -> dict[str, Array]:
        return {one["name"]: Array(one["dtype"], np.load(reply.folder / one["file"])) for one in row[kind]}

    kernels = [one for one in reply.events if one["event"] == "kernel"]
    approximate = tuple(dict.fromkeys(text for one in kernels for text in one["approximate"]))
    return CaseRun(
        inputs=arrays("inputs"),
        forward=arrays("forward"),
        backward=arrays("backward"),
        truth=arrays("truth"),
        unwritten={one["name"]: np.load(reply.folder / one["file"]) for one in row["unwritten"]},
        overwritten=tuple(row["overwritten"]),
        kernels=tuple((short_name(one["kernel"]), one["launches"]) for one in kernels),
        fidelity=Fidelity.APPROXIMATE if approximate else Fidelity.EXACT,
        approximate=approximate,
        seconds=(float(row["seconds"][0]), float(row["seconds"][1])),
        printed=reply.printed,
    )
