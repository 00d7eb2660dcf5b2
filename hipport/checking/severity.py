"""How bad a finding is for someone who wants the code to run on AMD, and which findings fail a check."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Purpose, Safety, Status

if TYPE_CHECKING:
    from hipport.model import Finding


class Severity(str, Enum):
    """`error`: left for a person; `warning`: may change the meaning; `note`: a port settles it, or it is advice."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


def severity(finding: Finding) -> Severity:
    """Performance advice is a note whatever its safety: slow code is not wrong code."""
    if finding.purpose is Purpose.PERFORMANCE:
        return Severity.NOTE
    if finding.safety is Safety.MANUAL or finding.status in (Status.UNSUPPORTED, Status.UNPARSED):
        return Severity.ERROR
    return Severity.WARNING if finding.safety is Safety.REVIEW else Severity.NOTE


class Selection(NamedTuple):
    """What a check looks at. A selector is a rule id, a family, or `rename` for every name that a port renames safely.

    With `select` only the findings that it names count, and each of them fails the check; without it, those of severity
    warning and error do. `least` drops what is milder.
    """

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    least: Severity = Severity.NOTE

    def shows(self, finding: Finding) -> bool:
        """Whether the finding is part of the check's answer at all."""
        names = selectors(finding)
        if names & self.ignore or severity(finding).rank > self.least.rank:
            return False
        return bool(names & self.select) if self.select else True

    def fails(self, finding: Finding) -> bool:
        """Whether the finding, being shown, fails the check."""
        return bool(self.select) or severity(finding) is not Severity.NOTE


def selectors(finding: Finding) -> frozenset[str]:
    """The words by which `--select` and `--ignore` may name this finding."""
    words = {finding.rule, finding.family}
    if finding.status is Status.RENAMED and finding.safety is Safety.SAFE:
        words.add("rename")
    return frozenset(words)
