"""A check's findings as JSON and JSON lines: schema `hipport.check/1`, described in docs/json.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hipport.checking.severity import severity
from hipport.report.plain import unicode

if TYPE_CHECKING:
    from hipport.checking.answer import CheckAnswer
    from hipport.model import Edit, Located

SCHEMA = "hipport.check/1"


def to_json(answer: CheckAnswer) -> str:
    """One JSON object: the findings and the sums."""
    body = {
        "schema": SCHEMA,
        "files": answer.files,
        "failing": len(answer.failing),
        "renames": answer.renames,
        "excused": answer.excused,
        "known": answer.known,
        "fixed": answer.fixed,
        "problems": [{"path": unicode(problem.path), "error": problem.error} for problem in answer.problems],
        "findings": [record(found) for found in answer.shown],
    }
    return json.dumps(body, indent=1) + "\n"


def to_json_lines(answer: CheckAnswer) -> str:
    """One JSON object a finding, a line each."""
    return "".join(json.dumps(record(found)) + "\n" for found in answer.shown)


def record(found: Located) -> dict[str, Any]:
    """One finding; spans are byte offsets, half-open."""
    finding = found.finding
    return {
        "rule": finding.rule,
        "family": finding.family,
        "severity": severity(finding).value,
        "safety": finding.safety.value,
        "status": finding.status.value,
        "purpose": finding.purpose.value,
        "basis": finding.basis.value,
        "path": unicode(finding.span.path),
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "span": [finding.span.start, finding.span.end],
        "message": finding.message,
        "next_step": finding.next_step,
        "targets": list(finding.targets),
        "excerpt": found.excerpt,
        "fingerprint": found.fingerprint,
        "edits": [_edit(edit) for edit in finding.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {"span": [edit.span.start, edit.span.end], "text": edit.text.decode("utf-8", "surrogateescape")}
