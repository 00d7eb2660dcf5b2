"""A batch report as a table for a terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from hipport.plain import printable
from hipport.report.batch_formats import hours, verdict

if TYPE_CHECKING:
    from hipport.batch.facts import BatchReport, Row

_COLUMNS = ("renamed", "rewritten", "shimmed", "review", "manual", "unsupported", "unparsed")
_STYLES = {"builds as is": "green", "review": "yellow", "blocked": "red", "failed": "red"}
_TOP = 8


def render(report: BatchReport, *, width: int | None = None, colour: bool = False) -> str:
    """The table, then the rules that leave most to do and the files with most effort."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("repository", overflow="fold")
    table.add_column("verdict")
    for name in ("hours", "files", *_COLUMNS, *(["trend"] if _has_trend(report) else [])):
        table.add_column(name, justify="right")
    for row in report.rows:
        counts = [str(row.statuses.get(name, 0) or "") for name in _COLUMNS]
        counts += _trend(row) if _has_trend(report) else []
        style = _STYLES.get(row.verdict, "")
        repository, said = Text(printable(row.name)), Text(verdict(row), style)
        table.add_row(repository, said, hours(row.effort), str(row.files), *counts)
    total = report.statuses
    sums = [str(total[name] or "") for name in _COLUMNS]
    effort = sum(row.effort for row in report.rows)
    table.add_section()
    table.add_row("all", "", hours(effort), str(sum(row.files for row in report.rows)), *sums, style="bold")
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False, markup=False)
    console.print(table)
    for line in _foot(report):
        console.print(line, soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _has_trend(report: BatchReport) -> bool:
    return any(row.before is not None for row in report.rows)


def _trend(row: Row) -> list[str]:
    return [""] if row.before is None else [f"{(row.effort - row.before) / 60:+.1f}"]


def _foot(report: BatchReport) -> list[str]:
    rules: dict[str, int] = {}
    for row in report.rows:
        for rule, count in row.rules.items():
            rules[rule] = rules.get(rule, 0) + count
    top = sorted(rules.items(), key=lambda item: (-item[1], item[0]))[:_TOP]
    hot = sorted(((file.effort, row.name, file.path) for row in report.rows for file in row.hot), reverse=True)[:_TOP]
    weights = ", ".join(f"{name} {value:g}" for name, value in report.weights.items())
    lines = [
        "",
        "Most findings: " + (", ".join(f"{rule} {count}" for rule, count in top) or "none"),
        "Most effort: " + (", ".join(f"{printable(name)}:{printable(path)}" for _, name, path in hot) or "none"),
        f"Denominator: {sum(report.statuses.values())} occurrences of CUDA-only constructs.",
        f"Hours by weights in minutes ({weights}); a rule's further occurrences in a file count a quarter.",
    ]
    lines += [f"{printable(row.name)}: {printable(row.error)}" for row in report.rows if row.error]
    return [*lines, *report.notes]
