"""A finding as JSON-able values: the record of schema `hipport.check/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hipport.checking.severity import severity
from hipport.plain import unicode

if TYPE_CHECKING:
    from hipport.model import Edit, Located


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
