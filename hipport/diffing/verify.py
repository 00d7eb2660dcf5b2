"""Every case of a file, on the original's device and on each of the port's, judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hipport.device.configured import resolved
from hipport.device.executor import Limits
from hipport.diffing.cases import CaseKind, files_of
from hipport.diffing.judge import Judged, PointResult, judge
from hipport.diffing.kernel import KernelSide, KernelSubject, Modules
from hipport.diffing.verdict import Kind, Verdict, worst
from hipport.errors import ExitCode, HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hipport.diffing.cases import Case, Point
    from hipport.diffing.sides import Side, Subject


@dataclass(frozen=True, slots=True)
class Ported:
    """A port of the folder of a case file: where it lies, what became of each source, and the rules it left."""

    folder: Path
    names: dict[str, str]
    suspects: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compiled: bool = False

    @classmethod
    def existing(cls, folder: Path, original: Path) -> Ported:
        """A port that lies in `folder`: each source as it was, or with the suffix that a port gives it."""
        names = {}
        for path in files_of(original):
            name = path.relative_to(original).as_posix()
            other = path.relative_to(original).with_suffix(".hip").as_posix() if path.suffix == ".cu" else name
            names[name] = name if not (folder / other).exists() else other
        return cls(folder, names)

    def source_of(self, case: Case) -> Path:
        """The port of a case's source.

        Raises:
            HipportError: the port has none.
        """
        path = self.folder / self.names.get(case.source, case.source)
        if not path.exists():
            raise HipportError(f"the port has no {case.source}", where=case.where)
        return path


@dataclass(frozen=True, slots=True)
class Settings:
    """How cases are verified. `full` takes every combination of inputs; `stop` ends a case at its first difference."""

    full: bool = False
    stop: bool = False
    gated: bool = True
    keep: bool = False
    limits: Limits = field(default_factory=Limits)
    points: tuple[Point, ...] = ()
    modules: Modules = field(default_factory=Modules)  # built sources, for several calls


@dataclass(frozen=True, slots=True)
class Verified:
    """The answers, in the order of the cases and of the port's devices."""

    judged: tuple[Judged, ...]

    @property
    def kind(self) -> Kind:
        """The answer for all of them."""
        return worst([one.kind for one in self.judged])

    @property
    def exit_code(self) -> ExitCode:
        """0 same, 3 a step failed, 4 differs, 5 could not be tested."""
        return self.kind.exit_code


def chosen(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...]:
    """The cases of those names, or all.

    Raises:
        UsageError: there is no case of a name.
    """
    for name in names:
        if not any(case.name == name for case in cases):
            raise UsageError(f"there is no case `{name}`", next_step=f"there are {', '.join(c.name for c in cases)}")
    return tuple(case for case in cases if not names or case.name in names)


def verified(
    cases: Sequence[Case],
    ported: Callable[[], Ported],
    original: str,
    ports: Sequence[str],
    settings: Settings,
    progress: Callable[[str], None] = lambda _: None,
    reference: Callable[[], Ported] | None = None,
) -> Verified:
    """Judge them. `ported` makes the port when the first case needs it.

    Where the original's device runs HIP only, the original is `reference()`: the port with everything applied.
    """
    rows: list[Judged] = []
    for case in cases:
        for spec in ports:
            progress(f"{case.name}: {original} against {spec}")
            rows.append(one(case, ported, original, spec, settings, reference))
    return Verified(tuple(rows))


def runs_hip(spec: str) -> bool:
    """Whether a device builds HIP sources, not CUDA ones."""
    return resolved(spec).device.partition(":")[0] in {"isa", "hip", "hip-on-nvidia"}


def one(
    case: Case,
    ported: Callable[[], Ported],
    original: str,
    spec: str,
    settings: Settings,
    reference: Callable[[], Ported] | None = None,
) -> Judged:
    """One case on one pair of devices; what cannot be tried is an answer too."""
    try:
        port = None if case.port else ported()
        source = case.folder / case.port if port is None else port.source_of(case)
        first = case.folder / case.source
        if reference is not None and runs_hip(original) and first.suffix != ".hip":
            first = reference().source_of(case)
        done = _judged(case, (first, source), (original, spec), settings)
    except UntestedError as error:
        return _nothing(case, original, spec, Verdict(Kind.UNPROVEN, error.what))
    except UsageError:
        raise
    except HipportError as error:
        return _nothing(case, original, spec, Verdict(Kind.FAILED, error.what))
    left = () if done.kind is Kind.SAME or port is None else port.suspects.get(case.source, ())
    return replace(done, suspects=left, case=case, source=source)


def _judged(case: Case, sources: tuple[Path, Path], specs: tuple[str, str], settings: Settings) -> Judged:
    if case.kind is CaseKind.PROGRAM:
        from hipport.diffing.program import judged_program

        return judged_program(case, sources, specs, settings.limits)
    subject, make = sides_for(case, settings)
    original, port = (make(source, spec) for source, spec in zip(sources, specs, strict=True))
    return judge(subject, original, port, stop=settings.stop, gated=settings.gated, keep=settings.keep)


def sides_for(case: Case, settings: Settings) -> tuple[Subject, Callable[[Path, str], Side]]:
    """A case as the judge sees it, and what makes a side of it of a source and a device."""
    if case.kind is CaseKind.TORCH:
        from hipport.diffing.torchop import TorchSide, TorchSubject

        return (
            TorchSubject(case, settings.full, settings.points),
            lambda source, spec: TorchSide(case, source, spec, settings.limits),
        )
    return (
        KernelSubject(case, settings.full, settings.points),
        lambda source, spec: KernelSide(case, source, spec, settings.limits, settings.modules),
    )


def _nothing(case: Case, original: str, spec: str, verdict: Verdict) -> Judged:
    from hipport.diffing.cases import Point

    row = PointResult(Point({}), "forward", verdict)
    return Judged(case.name, original, spec, case.contract.name, (row,))
