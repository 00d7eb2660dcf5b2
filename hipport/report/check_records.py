"""A check's findings as JSON and JSON lines: schema `hipport.check/1`, described in docs/json.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hipport.checking.records import record
from hipport.plain import unicode

if TYPE_CHECKING:
    from hipport.checking.answer import CheckAnswer

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
