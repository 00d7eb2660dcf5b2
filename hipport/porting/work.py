"""What one process does with its share of a port's files: reading, finding, editing; it writes nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import (
    FileReport,
    Finding,
    ListedFinding,
    Outcome,
    OutcomeKind,
    Purpose,
    Safety,
    SourceFile,
    Status,
)
from hipport.porting.pipeline import Port, applicable, port_file
from hipport.source import discover, sourcemap
from hipport.source.lines import LineIndex

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.model import FilePort
    from hipport.porting.plan import Job


class Done(NamedTuple):
    """One file after its port: what to write (None: nothing), its place in the source map, and what to report."""

    report: FileReport
    result: bytes | None
    digest: str
    edits: tuple[sourcemap.MappedEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Porting:
    """All finders over files, given as jobs; `detail` lists SAFE findings too, which otherwise are only counted."""

    root: Path
    port: Port
    detail: bool = False

    def __call__(self, jobs: list[Job]) -> list[Done]:
        """One Done a job."""
        return [self._port(job) for job in jobs]

    def _port(self, job: Job) -> Done:
        try:
            source = discover.read(self.root, job.path)
        except OSError as error:
            return failed(job.path, f"cannot be read: {error.strerror or error}")
        try:
            ported, done = port_file(source, self.port, job.around)
        except Exception as error:  # noqa: BLE001  one bad file is an outcome, never the end of the run
            return failed(job.path, f"hipport failed on it: {type(error).__name__}: {error}", source)
        report = self._report(ported)
        return Done(report, ported.result, source.digest, sourcemap.mapped_edits(source.data, done.placed))

    def _report(self, ported: FilePort) -> FileReport:
        counts: Counter[tuple[str, Status]] = Counter()
        listed: list[tuple[Finding, bool, str]] = []
        for finding in ported.applied:
            applied = applicable(finding, self.port.config)
            offered = bool(finding.edits) and not applied
            if applied or finding.purpose is Purpose.CORRECTNESS:  # advice on speed is no construct of CUDA
                counts[finding.family, finding.status] += 1
            if self.detail or not (applied and finding.safety is Safety.SAFE):
                listed.append((finding, applied, "offered: --optimize applies it" if offered else ""))
        for skipped in ported.skipped:
            counts[skipped.finding.family, Status.MANUAL] += 1
            listed.append((skipped.finding, False, skipped.reason))
        totals = tuple((family, status, n) for (family, status), n in sorted(counts.items()))
        shims = tuple(name for finding in ported.applied if finding.rule == "shim" for name in finding.shims)
        return FileReport(
            ported.source.path, ported.target_path, ported.outcome, totals, _listed(ported.source, listed), shims
        )


def _listed(source: SourceFile, findings: list[tuple[Finding, bool, str]]) -> tuple[ListedFinding, ...]:
    """The findings with their lines and columns, in the order of their places."""
    if not findings:
        return ()
    index = LineIndex(source.data)
    findings.sort(key=lambda item: (item[0].span.start, item[0].span.end, item[0].rule, item[0].message))
    return tuple(
        ListedFinding(finding, *index.position(finding.span.start), applied, reason)
        for finding, applied, reason in findings
    )


def failed(path: str, reason: str, source: SourceFile | None = None) -> Done:
    """The outcome of a file that could not be ported; its bytes are copied as they are where they were read."""
    report = FileReport(path, path, Outcome(OutcomeKind.FAILED, reason))
    return Done(report, source.data if source else None, source.digest if source else "")
