"""What a port counts: occurrences of CUDA-only constructs by status, family and file, and their sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.errors import ExitCode
from hipport.model import FileReport, OutcomeKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.model import ListedFinding, Report

# Findings on a file as such (its name, its encoding) are listed but are no occurrences of a construct.
NOT_COUNTED = frozenset({"files"})
LEFT = (Status.MANUAL, Status.UNSUPPORTED, Status.UNPARSED)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The sums of one port. `denominator` is the number of all occurrences."""

    outcomes: dict[OutcomeKind, int]
    by_status: dict[Status, int]
    by_family: dict[str, dict[Status, int]]

    @property
    def denominator(self) -> int:
        """All occurrences that were counted."""
        return sum(self.by_status.values())


def coverage(files: Iterable[FileReport]) -> Coverage:
    """The sums over `files`, every status and outcome present, families in alphabetical order."""
    outcomes: Counter[OutcomeKind] = Counter()
    by_family: dict[str, Counter[Status]] = {}
    for file in files:
        outcomes[file.outcome.kind] += 1
        for family, status, count in file.counts:
            if family not in NOT_COUNTED:
                by_family.setdefault(family, Counter())[status] += count
    total = sum(by_family.values(), Counter[Status]())
    return Coverage(
        {kind: outcomes[kind] for kind in OutcomeKind},
        {status: total[status] for status in Status},
        {family: {status: by_family[family][status] for status in Status} for family in sorted(by_family)},
    )


def exit_code(report: Report) -> ExitCode:
    """A failed file outweighs what is left for a person."""
    if any(file.outcome.kind is OutcomeKind.FAILED for file in report.files):
        return ExitCode.FAILED
    left = any(status in LEFT for file in report.files for _, status, _ in file.counts)
    return ExitCode.LEFT if left else ExitCode.DONE


def next_step(item: ListedFinding) -> str:
    """What a person does about a finding."""
    if item.reason and not item.applied:
        return item.reason
    return item.finding.next_step


def is_left(item: ListedFinding) -> bool:
    """Whether a finding is left for a person: its status says so, or its edits were skipped."""
    return item.finding.status in LEFT or (
        bool(item.finding.edits) and not item.applied and item.reason.startswith(("overlaps", "a second pass"))
    )
