"""What one process does with its share of a check's files: reading, finding, judging."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hipport.checking import suppress
from hipport.checking.locate import locate
from hipport.model import Safety, SourceFile, Status
from hipport.porting import pipeline
from hipport.source import discover, edits, git, guard
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hipport.checking.severity import Selection
    from hipport.model import Finding, Located
    from hipport.porting.pipeline import Port
    from hipport.porting.plan import Job


class Checked(NamedTuple):
    """One file after its check; `renames` counts the safe ones that are not shown, `fixed` the findings mended.

    `data` is the file's new content where some were.
    """

    path: str
    shown: tuple[Located, ...] = ()
    renames: int = 0
    excused: int = 0
    error: str = ""
    fixed: int = 0
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Checking:
    """The check of files given as jobs.

    `complete` says that every rule runs, so that an unused excuse is a fault; `lines` restricts findings to changed
    lines; `staged` reads what git's index holds; `ignored` maps a path to the selectors that its settings ignore; the
    edits of findings whose safety is in `fix` are applied.
    """

    root: Path
    port: Port
    selection: Selection
    complete: bool = True
    staged: bool = False
    lines: Mapping[str, tuple[range, ...]] | None = None
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    fix: frozenset[Safety] = frozenset()

    def __call__(self, jobs: list[Job]) -> list[Checked]:
        """One Checked a job."""
        return [self._check(job) for job in jobs]

    def _check(self, job: Job) -> Checked:
        try:
            source = read(self.root, job.path, staged=self.staged)
        except OSError as error:
            return Checked(job.path, error=f"cannot be read: {error.strerror or error}")
        try:
            return self._fixed(source, job.around) if self.fix else self.judge(source, job.around)
        except Exception as error:  # noqa: BLE001 - one bad file is an outcome, never the end of the run
            return Checked(job.path, error=f"hipport failed on it: {type(error).__name__}: {error}")

    def judge(self, source: SourceFile, around: pipeline.Surroundings) -> Checked:
        """The findings on one file that is already read."""
        found, excused = standing(source, self.port, around, complete=self.complete)
        located = tuple(f for f in locate(source, (f for f in found if self.shows(f))) if self._changed(f))
        renames = sum(_safe_rename(f) for f in found) - sum(_safe_rename(f.finding) for f in located)
        return Checked(source.path, located, renames, len(excused))

    def _fixed(self, source: SourceFile, around: pipeline.Surroundings) -> Checked:
        """The check of a file after its fixes, which the guard of a port must let pass."""
        found, _ = standing(source, self.port, around, complete=self.complete)
        wanted = [f for f in found if f.safety in self.fix and f.edits and not f.shims and self.selection.shows(f)]
        chosen = [item.finding for item in locate(source, wanted) if self._changed(item)]
        done = edits.apply(source.data, chosen)
        fault = guard.new_fault(source.path, source.data, done.result, done.placed, code=is_code(source.path))
        if fault:
            return Checked(source.path, error=f"the fixes were not kept: {fault}")
        checked = self.judge(SourceFile(source.path, done.result), around)
        data = done.result if done.result != source.data else None
        return checked._replace(fixed=len(done.applied), data=data)

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is listed: selected, not ignored for its path, and (unless asked for) no safe rename."""
        if not self.selection.shows(finding):
            return False
        if self.ignored and {finding.rule, finding.family, "*"} & self.ignored.get(finding.span.path, frozenset()):
            return False
        return bool(self.selection.select) or not _settled(finding)

    def _changed(self, found: Located) -> bool:
        if self.lines is None:
            return True
        touched = range(found.line, found.end_line + 1)
        return any(
            lines.start < touched.stop and touched.start < lines.stop
            for lines in self.lines.get(found.finding.span.path, ())
        )


def standing(
    source: SourceFile, port: Port, around: pipeline.Surroundings, *, complete: bool
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """All findings on a file that its author has not excused, and those that are excused (`complete`: see Checking)."""
    problem = pipeline.unreadable(source)
    found = (problem,) if problem else (*around.about, *pipeline.find(source, port, around))
    return suppress.apply(source, found, complete=complete)


def read(root: Path, path: str, *, staged: bool) -> SourceFile:
    """A file of the work tree, or of git's index."""
    if staged:
        return SourceFile(path, git.staged_content(root, path))
    return discover.read(root, path)


def _settled(finding: Finding) -> bool:
    """Whether a port settles the finding without anyone's judgement."""
    return finding.safety is Safety.SAFE and bool(finding.edits)


def _safe_rename(finding: Finding) -> bool:
    return finding.safety is Safety.SAFE and finding.status is Status.RENAMED
