"""The values that every stage passes on. No I/O, and nothing of ours is imported here.

Small values are NamedTuples: making a frozen dataclass with slots takes 0.6 ms of every start and a NamedTuple 0.1, and
an instance of one takes a third of the time.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Safety(str, Enum):
    """How far an edit can be trusted."""

    SAFE = "safe"  # same meaning on every target
    REVIEW = "review"  # applied, and listed for a person
    MANUAL = "manual"  # no edit offered: the finding says what to do


class Purpose(str, Enum):
    """What a finding is about: a port applies correctness, `--optimize` also performance."""

    CORRECTNESS = "correctness"
    PERFORMANCE = "performance"


class Basis(str, Enum):
    """What a finding was decided on."""

    AST = "ast"
    LEXICAL = "lexical"


class Status(str, Enum):
    """Where an occurrence of a CUDA-only construct is counted in the coverage report."""

    RENAMED = "renamed"
    REWRITTEN = "rewritten"
    SHIMMED = "shimmed"
    REVIEW = "review"
    MANUAL = "manual"
    UNSUPPORTED = "unsupported"
    UNPARSED = "unparsed"


class OutcomeKind(str, Enum):
    """What became of one file."""

    PORTED = "ported"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    FAILED = "failed"


class Outcome(NamedTuple):
    """What became of one file, with the reason of a skip or the error of a failure."""

    kind: OutcomeKind
    reason: str = ""


class SourceFile(NamedTuple):
    """A file as it was read: `path` is relative to the root and POSIX."""

    path: str
    data: bytes

    @property
    def digest(self) -> str:
        """The sha256 of the data in hex, made when it is asked for."""
        from hashlib import sha256  # its import takes a tenth of a hook's time

        return sha256(self.data).hexdigest()


class Span(NamedTuple):
    """Bytes `start` to `end` (half-open) of a file."""

    path: str
    start: int
    end: int


class Edit(NamedTuple):
    """Replace the bytes of `span` by `text`, the AMD side's spelling; a renderer adds the CUDA side if asked."""

    span: Span
    text: bytes


class Finding(NamedTuple):
    """One thing to say about one place, with the edits that mend it: all of them are applied, or none.

    `family` is the rule family that it is counted under (`runtime`, `cublas`, `warp`, ...). `targets` are those
    for which it holds; empty means every target. `shims` names the shims that the edits rely on.
    """

    rule: str
    span: Span
    message: str
    safety: Safety
    status: Status
    family: str
    purpose: Purpose = Purpose.CORRECTNESS
    basis: Basis = Basis.LEXICAL
    edits: tuple[Edit, ...] = ()
    next_step: str = ""
    targets: tuple[str, ...] = ()
    shims: tuple[str, ...] = ()


class Located(NamedTuple):
    """A finding as a person reads it: lines and columns from 1, and the text of its first line."""

    finding: Finding
    line: int
    column: int
    end_line: int
    end_column: int
    excerpt: str

    @property
    def fingerprint(self) -> str:
        """64 bits of sha256 in hex: the same when the line moves, another when its text changes."""
        from hashlib import sha256

        finding = self.finding
        parts = (finding.rule, finding.span.path, finding.message, "".join(self.excerpt.split()))
        return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


class RenameRule(NamedTuple):
    """One CUDA name and what it becomes. `hip` is empty where `status` is unsupported: `note` says what to do instead.

    `kind` is function, type, constant, macro, device, template, include or namespace. `since` and `until` are the ROCm
    versions between which the HIP name exists (empty: no bound known). `action` names a rewrite of the call's arguments
    that the rename needs (`hip_symbol:0`), or is empty.
    """

    cuda: str
    hip: str
    kind: str
    family: str
    header: str = ""
    since: str = ""
    until: str = ""
    status: str = "mapped"
    safety: Safety = Safety.SAFE
    action: str = ""
    note: str = ""


class SkippedFinding(NamedTuple):
    """A finding whose edits were not applied, and why."""

    finding: Finding
    reason: str


class FilePort(NamedTuple):
    """One file after its edits. `result` is None where nothing is written; `target_path` is its path in the port."""

    source: SourceFile
    target_path: str
    result: bytes | None
    applied: tuple[Finding, ...]
    skipped: tuple[SkippedFinding, ...]
    outcome: Outcome


class ListedFinding(NamedTuple):
    """A finding in a port's report: where (from 1, the column in characters), and whether its edits were applied."""

    finding: Finding
    line: int
    column: int
    applied: bool
    reason: str = ""  # why edits were not applied


class FileReport(NamedTuple):
    """What a port did to one file. `counts` are (family, status, occurrences), sorted; `findings` in their order.

    `shims` are those that it includes from the port's own folder.
    """

    path: str
    target_path: str
    outcome: Outcome
    counts: tuple[tuple[str, Status, int], ...] = ()
    findings: tuple[ListedFinding, ...] = ()
    shims: tuple[str, ...] = ()


class Report(NamedTuple):
    """One port: its files in the order of their paths, and notes on what was no part of it."""

    files: tuple[FileReport, ...]
    notes: tuple[str, ...] = ()
