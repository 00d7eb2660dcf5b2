"""The report of a port as Markdown, for an issue or a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import OutcomeKind, Status
from hipport.plain import printable
from hipport.report.coverage import coverage, next_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.model import Report
    from hipport.report.coverage import Coverage


def port_markdown(report: Report) -> str:
    """The report as Markdown: sums, families, files with something to count, and the findings to look at."""
    sums = coverage(report.files)
    parts = ["# Port report\n", _summary(sums), *_families(sums), *_files(report), *_findings(report)]
    if report.notes:
        parts.append("## Notes\n\n" + "".join(f"- {_cell(note)}\n" for note in report.notes))
    return "\n".join(parts)


def _summary(sums: Coverage) -> str:
    files = ", ".join(f"{count} {kind.value}" for kind, count in sums.outcomes.items() if count) or "none"
    said = ", ".join(f"{count} {status.value}" for status, count in sums.by_status.items() if count)
    return f"Files: {files}.\n\nOccurrences of CUDA-only constructs: {sums.denominator}{': ' + said if said else ''}.\n"


def _families(sums: Coverage) -> Iterator[str]:
    if not sums.denominator:
        return
    shown = [status for status in Status if sums.by_status[status]]
    rows = [
        [family, *(str(counts[status]) for status in shown), str(sum(counts.values()))]
        for family, counts in sums.by_family.items()
    ]
    rows.append(["all", *(str(sums.by_status[status]) for status in shown), str(sums.denominator)])
    yield "## By family\n\n" + _table(["family", *(s.value for s in shown), "all"], rows)


def _files(report: Report) -> Iterator[str]:
    rows = []
    for file in report.files:
        if not file.counts and file.outcome.kind in (OutcomeKind.UNCHANGED, OutcomeKind.PORTED):
            continue
        counts: dict[Status, int] = {}
        for _, status, count in file.counts:
            counts[status] = counts.get(status, 0) + count
        said = ", ".join(f"{count} {status.value}" for status, count in counts.items())
        rows.append(
            [_code(file.path), _code(file.target_path), file.outcome.kind.value, said or _cell(file.outcome.reason)]
        )
    if rows:
        yield "## By file\n\n" + _table(["file", "port", "outcome", "occurrences"], rows)


def _findings(report: Report) -> Iterator[str]:
    rows = []
    for file in report.files:
        for item in file.findings:
            place = _code(f"{file.path}:{item.line}:{item.column}")
            finding = item.finding
            rows.append([place, finding.safety.value, finding.rule, _cell(finding.message), _cell(next_step(item))])
    if rows:
        yield "## Findings\n\n" + _table(["place", "safety", "rule", "what", "next step"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    return "`" + printable(text).replace("|", "\\|").replace("`", "'") + "`"
