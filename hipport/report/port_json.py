"""The report of a port as JSON; docs/json.md describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hipport.plain import unicode
from hipport.report.coverage import coverage

if TYPE_CHECKING:
    from hipport.config import Config
    from hipport.model import FileReport, ListedFinding, Report

SCHEMA = "hipport.port/1"


def port_json(report: Report, config: Config) -> str:
    """The report as one JSON document; equal ports give equal text on every machine."""
    sums = coverage(report.files)
    document = {
        "schema": SCHEMA,
        "settings": {
            "target": config.targets,
            "rocm": config.rocm,
            "torch": config.torch,
            "style": config.style.value,
            "warp": config.warp.value,
            "launch": config.launch.value,
            "optimize": config.optimize,
            "only": [stage.value for stage in config.only],
        },
        "denominator": sums.denominator,
        "statuses": {status.value: count for status, count in sums.by_status.items()},
        "families": {
            family: {status.value: count for status, count in counts.items()}
            for family, counts in sums.by_family.items()
        },
        "outcomes": {kind.value: count for kind, count in sums.outcomes.items()},
        # a port only reads: nothing was type-checked, compiled, executed or compared
        "evidence": {"type-checked": 0, "compiled": 0, "executed": 0, "compared": 0},
        "files": [_file(file) for file in report.files],
        "notes": [unicode(note) for note in report.notes],
    }
    return json.dumps(document, indent=1) + "\n"


def _file(file: FileReport) -> dict[str, object]:
    counts: dict[str, dict[str, int]] = {}
    for family, status, count in file.counts:
        of = counts.setdefault(family, {})
        of[status.value] = of.get(status.value, 0) + count
    return {
        "path": unicode(file.path),
        "target": unicode(file.target_path),
        "outcome": file.outcome.kind.value,
        "reason": file.outcome.reason,
        "counts": counts,
        "findings": [_finding(item) for item in file.findings],
    }


def _finding(item: ListedFinding) -> dict[str, object]:
    finding = item.finding
    return {
        "rule": finding.rule,
        "family": finding.family,
        "status": finding.status.value,
        "safety": finding.safety.value,
        "purpose": finding.purpose.value,
        "basis": finding.basis.value,
        "line": item.line,
        "column": item.column,
        "start": finding.span.start,
        "end": finding.span.end,
        "message": finding.message,
        "next_step": finding.next_step,
        "applied": item.applied,
        "reason": item.reason,
        "targets": finding.targets,
        "shims": finding.shims,
    }
