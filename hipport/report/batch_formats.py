"""A batch report as JSON (schema `hipport.report/1`), CSV, Markdown and one self-contained HTML page."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hipport import __version__
from hipport.model import Status
from hipport.plain import printable
from hipport.resources import data_dir

if TYPE_CHECKING:
    from hipport.batch.facts import BatchReport, Record, Row

SCHEMA = "hipport.report/1"
_COLUMNS = (
    "repository",
    "verdict",
    "blockers",
    "hours",
    "files",
    "bytes",
    *(s.value for s in Status),
    "before",
    "error",
)
_EXCERPT = 200  # characters of an excerpt in the HTML page


def to_dict(report: BatchReport) -> dict[str, Any]:
    """The report as JSON-able values; `records` are findings of schema `hipport.check/1`."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "targets": list(report.targets),
        "rocm": report.rocm,
        "weights": report.weights,
        "statuses": dict(sorted(report.statuses.items())),
        "notes": list(report.notes),
        "rows": [asdict(row) for row in report.rows],
    }


def to_json(report: BatchReport) -> str:
    """JSON text."""
    return json.dumps(to_dict(report), indent=1) + "\n"


def to_csv(report: BatchReport) -> str:
    """A line a repository; a cell that a spreadsheet would run as a formula is quoted with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in report.rows:
        writer.writerow([_cell(value) for value in _values(row)])
    return text.getvalue()


def to_markdown(report: BatchReport) -> str:
    """A table of the repositories, then what stands in the way."""
    head = ("repository", "verdict", "hours", "files", *(s.value for s in Status))
    lines = ["# Port coverage", "", f"For {', '.join(report.targets)}, ROCm {report.rocm}.", ""]
    lines += [_md(head), _md(["---"] * len(head))]
    lines += [_md([row.name, verdict(row), hours(row.effort), row.files, *_counts(row)]) for row in report.rows]
    total = report.statuses
    sums = [sum(row.files for row in report.rows), *(total[s.value] for s in Status)]
    lines.append(_md(["**all**", "", hours(sum(row.effort for row in report.rows)), *sums]))
    lines += ["", "Weights, in minutes: " + ", ".join(f"{k} {v:g}" for k, v in report.weights.items()) + "."]
    return "\n".join([*lines, *(f"\n{note}" for note in report.notes)]) + "\n"


def to_html(report: BatchReport) -> str:
    """One page that needs no network: the data are JSON in it."""
    body = to_dict(report)
    for row in body["rows"]:
        row["records"] = [_brief(record) for record in row["records"]]
    data = (
        json.dumps(body, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    )
    page = (data_dir("templates") / "report.html").read_text(encoding="utf-8")
    return page.replace("@DATA@", data.encode("utf-8", "backslashreplace").decode("utf-8"))


def verdict(row: Row) -> str:
    """The verdict with what blocks."""
    return f"blocked by {', '.join(row.blockers[:3])}" if row.verdict == "blocked" else row.verdict


def hours(minutes: float) -> str:
    """Minutes as hours with one digit."""
    return f"{minutes / 60:.1f}"


def _brief(record: Record) -> list[Any]:
    keys = ("rule", "severity", "path", "line", "column", "message", "next_step")
    return [*(record[key] for key in keys), record["excerpt"].strip()[:_EXCERPT]]


def _values(row: Row) -> list[Any]:
    before = "" if row.before is None else hours(row.before)
    head = [row.name, row.verdict, " ".join(row.blockers), hours(row.effort), row.files, row.size]
    return [*head, *_counts(row), before, row.error]


def _counts(row: Row) -> list[int]:
    return [row.statuses.get(s.value, 0) for s in Status]


def _cell(value: object) -> object:
    if isinstance(value, str):
        text = printable(value)
        return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
    return value


def _md(cells: list[Any] | tuple[Any, ...]) -> str:
    return "| " + " | ".join(printable(str(cell)).replace("|", "\\|") for cell in cells) + " |"
