"""The report of a port for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import OutcomeKind, Purpose, Safety, Status
from hipport.plain import printable
from hipport.report.coverage import LEFT, coverage, is_left, next_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import FileReport, ListedFinding, Report
    from hipport.report.coverage import Coverage


def port_text(report: Report, *, verbosity: int = 0) -> str:
    """The report as plain text. `verbosity` -1: only what failed or is left; 1: also every file and SAFE edit."""
    sums = coverage(report.files)
    blocks = [
        "".join(_failures(report)),
        "".join(_findings(report, verbosity)),
        "".join(f"note: {printable(note)}\n" for note in report.notes) if verbosity >= 0 else "",
        "".join(_files(report)) if verbosity > 0 else "",
        "".join(_families(sums)) if verbosity >= 0 and sums.denominator else "",
        _summary(sums) if verbosity >= 0 else "",
    ]
    return "\n".join(block for block in blocks if block)


def _failures(report: Report) -> Iterator[str]:
    for file in report.files:
        if file.outcome.kind is OutcomeKind.FAILED:
            yield f"{printable(file.path)}: failed: {printable(file.outcome.reason)}\n"


def _findings(report: Report, verbosity: int) -> Iterator[str]:
    """A line a finding; what to do next is said with the first that asks for it."""
    said: set[str] = set()
    for file in report.files:
        for item in file.findings:
            if verbosity < 0 and not is_left(item):
                continue
            yield _finding(file, item)
            step = next_step(item)
            if step and step not in said:
                said.add(step)
                yield f"    next: {printable(step)}\n"


def _finding(file: FileReport, item: ListedFinding) -> str:
    finding = item.finding
    place = f"{printable(file.path)}:{item.line}:{item.column}"
    return f"{place}: {_word(item)} {finding.rule}: {printable(finding.message)}\n"


def _word(item: ListedFinding) -> str:
    if item.finding.edits and not item.applied:
        return "offered" if item.reason.startswith("offered") else "skipped"
    if item.finding.purpose is Purpose.PERFORMANCE and not (item.applied and item.finding.edits):
        return "advice"
    if item.finding.safety is Safety.SAFE:
        return str(item.finding.status.value)
    if item.finding.status in LEFT:
        return str(item.finding.status.value)
    return str(item.finding.safety.value)


def _files(report: Report) -> Iterator[str]:
    for file in report.files:
        name = printable(file.path)
        if file.target_path != file.path:
            name += f" -> {printable(file.target_path)}"
        counts: dict[Status, int] = {}
        for _, status, count in file.counts:
            counts[status] = counts.get(status, 0) + count
        said = ", ".join(f"{count} {status.value}" for status, count in counts.items())
        yield f"{file.outcome.kind.value:9} {name}{': ' + said if said else ''}\n"


def _families(sums: Coverage) -> Iterator[str]:
    shown = [status for status in Status if sums.by_status[status]]
    width = max(len("family"), *(len(family) for family in sums.by_family))
    yield "family".ljust(width) + "".join(f"{status.value:>13}" for status in shown) + "        all\n"
    for family, counts in sums.by_family.items():
        cells = "".join(f"{counts[status] or '.':>13}" for status in shown)
        yield f"{family:{width}}{cells}{sum(counts.values()):>11}\n"
    cells = "".join(f"{sums.by_status[status]:>13}" for status in shown)
    yield f"{'all':{width}}{cells}{sums.denominator:>11}\n"


def _summary(sums: Coverage) -> str:
    files = ", ".join(f"{count} {kind.value}" for kind, count in sums.outcomes.items() if count)
    if not any(sums.outcomes.values()):
        return "no files\n"
    if not sums.denominator:
        return f"files: {files}\nno CUDA that must change\n"
    said = ", ".join(f"{count} {status.value}" for status, count in sums.by_status.items() if count)
    return f"files: {files}\ncoverage: {sums.denominator} occurrences of CUDA-only constructs: {said}\n"
