"""Runs the cases of a file on one device and keeps what they give."""

from __future__ import annotations

import hashlib
import platform
from typing import TYPE_CHECKING, Any

from hipport.device.executor import FaultError, InconclusiveError
from hipport.diffing import cases as case_values
from hipport.diffing.cases import Case, CaseKind, Point
from hipport.diffing.compare import spread_of
from hipport.diffing.formats import Tensor
from hipport.diffing.judge import middle
from hipport.diffing.recording import Recorded, RecordedCase, Recording
from hipport.diffing.sides import Outputs
from hipport.diffing.verify import runs_hip, sides_for
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from hipport.device.program.anywhere import ProgramOutput
    from hipport.diffing.sides import Side, Subject
    from hipport.diffing.verify import Ported, Settings

RUNS = 2  # further ones of a GPU at one point, to learn its spread


def recorded(
    chosen: Sequence[Case],
    device: str,
    ported: Callable[[], Ported],
    settings: Settings,
    *,
    quick: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Recording:
    """The cases on one device: the CUDA source where the device builds CUDA, else its port."""
    rows = []
    for case in chosen:
        progress(f"{case.name} on {device}")
        source = case.folder / case.source
        if runs_hip(device) and source.suffix != ".hip":
            source = case.folder / case.port if case.port else ported().source_of(case)
        rows.append(_case(case, source, device, settings, quick=quick))
    return Recording(device, header(device), tuple(rows))


def header(device: str) -> dict[str, Any]:
    """What a reader wants to know of where it ran."""
    from hipport import __version__
    from hipport.device.described import described

    return {"hipport": __version__, "host": platform.machine(), "system": platform.system(), **described(device)}


def _case(case: Case, source: Path, device: str, settings: Settings, *, quick: bool) -> RecordedCase:
    digest = hashlib.sha256(source.read_bytes()).hexdigest() if source.is_file() else ""
    if case.kind is CaseKind.PROGRAM:
        return _program(case, source, device, settings)
    subject, make = sides_for(case, settings)
    side = make(source, device)
    points = settings.points or (quick_points(case) if quick else subject.points())
    found = []
    for point in points:
        found.append(_point(subject, side, point))
        if found[-1].problem and found[-1].untested:
            break  # the device is not here, or the source does not build: no other point can do better
    floor = _floor(subject, side, points) if found and not found[-1].problem else 0.0
    contract = subject.contract(subject.made(points[0]))
    return RecordedCase(case.name, case.kind.value, contract, digest, tuple(found), floor, tuple(subject.unordered))


def quick_points(case: Case) -> tuple[Point, ...]:
    """Every size but the largest once, and every family and layout at the middle one."""
    sizes = case.sizes[:-1] if len(case.sizes) > 1 else case.sizes or ({},)
    first, layout, seed = case.families[0], case.layouts[0], case.seeds[0]
    middle_size = sizes[len(sizes) // 2]
    found = [Point(size, first, layout, seed) for size in sizes]
    found += [Point(middle_size, family, layout, seed) for family in case.families[1:]]
    found += [Point(middle_size, first, other, seed) for other in case.layouts[1:]]
    return tuple({point.label: point for point in found}.values())


def _point(subject: Subject, side: Side, point: Point) -> Recorded:
    inputs = subject.made(point)
    try:
        return Recorded(point, inputs.digest, side.run(inputs))
    except FaultError as error:
        said = error.fault.message + (f" ({error.fault.where})" if error.fault.where else "")
        return Recorded(point, inputs.digest, None, f"{error.fault.kind}: {said}", isinstance(error, InconclusiveError))
    except UsageError:
        raise
    except HipportError as error:
        return Recorded(point, inputs.digest, None, error.what, isinstance(error, UntestedError))


def _floor(subject: Subject, side: Side, points: Sequence[Point]) -> float:
    probe = middle(tuple(points))
    inputs = subject.made(probe)
    orders = [f"random:{seed}" if side.reorders else "in" for seed in range(1, RUNS + 1)]
    runs = [side.run(inputs, order=order) for order in ["in", *orders]]
    return spread_of([{**run.forward, **run.backward} for run in runs])[0]


def _program(case: Case, source: Path, device: str, settings: Settings) -> RecordedCase:
    from hipport.diffing.program import run_case

    got = run_case(case, source, device, settings.limits)
    point = Point({}, family=" ".join(case.program) or "program")
    rules: Mapping[str, Any] = {"ignore": list(case.ignore), "rtol": case.rtol, "files": list(case.files)}
    words = hashlib.sha256("\0".join(case.program).encode()).hexdigest()
    row = Recorded(point, words, program_outputs(got), got.problem, got.untested)
    digest = case_values.digest_of(source)
    return RecordedCase(case.name, case.kind.value, case.contract, digest, (row,), rules=rules)


def program_outputs(got: ProgramOutput) -> Outputs | None:
    """What a program gave as tensors; None where it cannot be compared."""
    import numpy as np

    if got.problem:
        return None
    forward = {"stdout": _bytes(got.output.encode()), "exit status": Tensor.of(np.asarray([got.code], dtype=np.int32))}
    forward |= {f"file {name}": _bytes(data) for name, data in got.files.items()}
    return Outputs(forward, seconds=(got.seconds, 0.0), fidelity=got.fidelity)


def _bytes(data: bytes) -> Tensor:
    import numpy as np

    return Tensor.of(np.frombuffer(data, dtype=np.uint8))
