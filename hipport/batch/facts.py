"""The values of a batch report: what was found in one file, in one repository, and in all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]  # one finding as report/check_records.py writes it


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file. `counts` maps (family, rule, status, safety, purpose) to occurrences; `records` are those not safe."""

    path: str
    size: int  # bytes
    counts: Counter[tuple[str, str, str, str, str]]
    records: tuple[Record, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """One repository: its files, or the reason why it could not be read."""

    name: str
    files: tuple[FileFacts, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class HotFile:
    """A file with its share of the effort."""

    path: str
    effort: float
    findings: int


@dataclass(frozen=True, slots=True)
class Row:
    """One repository of the report. `verdict` is `builds as is`, `review`, `blocked`, `no CUDA` or `failed`."""

    name: str
    verdict: str
    blockers: tuple[str, ...]
    effort: float
    files: int
    size: int
    statuses: dict[str, int]
    families: dict[str, dict[str, int]]
    rules: dict[str, int]
    hot: tuple[HotFile, ...]
    records: tuple[Record, ...]
    error: str = ""
    before: float | None = None  # the effort in the run that this one is compared with


@dataclass(frozen=True, slots=True)
class BatchReport:
    """All rows, in the order in which the repositories were named."""

    rows: tuple[Row, ...]
    weights: dict[str, float]
    targets: tuple[str, ...]
    rocm: str
    notes: tuple[str, ...] = field(default=())

    @property
    def statuses(self) -> Counter[str]:
        """Occurrences by status over all repositories."""
        return sum((Counter(row.statuses) for row in self.rows), Counter[str]())
