"""A check's answer as SARIF 2.1.0: rules with their help, fixes, fingerprints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hipport import __version__
from hipport.checking.severity import Severity, severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.checking.answer import CheckAnswer
    from hipport.model import Edit, Located

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(answer: CheckAnswer, help_texts: Mapping[str, str]) -> str:
    """SARIF text. `help_texts` gives each rule id's page; a rule without one is described by its first message."""
    rules: dict[str, Located] = {}
    for found in answer.shown:
        rules.setdefault(found.finding.rule, found)
    names = sorted(rules)
    run = {
        "tool": {
            "driver": {
                "name": "hipport",
                "semanticVersion": __version__,
                "rules": [_rule(name, rules[name], help_texts.get(name, "")) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder that was checked."}}},
        "invocations": [
            {
                "executionSuccessful": not answer.problems,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": p.error}, "locations": [{"physicalLocation": _file(p.path)}]}
                    for p in answer.problems
                ],
            }
        ],
        "results": [_result(found, names.index(found.finding.rule)) for found in answer.shown],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str, example: Located, page: str) -> dict[str, Any]:
    title = page.strip().split("\n", 1)[0] if page else example.finding.message
    return {
        "id": name,
        "shortDescription": {"text": title},
        "help": {"text": page or example.finding.next_step or example.finding.message},
        "defaultConfiguration": {"level": _LEVELS[severity(example.finding)]},
        "properties": {"tags": [example.finding.family, example.finding.purpose.value]},
    }


def _result(found: Located, index: int) -> dict[str, Any]:
    finding = found.finding
    text = f"{finding.message}\n{finding.next_step}" if finding.next_step else finding.message
    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
        "snippet": {"text": found.excerpt},
    }
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[severity(finding)],
        "message": {"text": text},
        "locations": [{"physicalLocation": {**_file(finding.span.path), "region": region}}],
        "partialFingerprints": {"hipportLine/v1": found.fingerprint},
        "properties": {"safety": finding.safety.value, "basis": finding.basis.value, "targets": list(finding.targets)},
    }
    if finding.edits:
        result["fixes"] = [
            {
                "description": {"text": f"{finding.safety.value} edit by hipport"},
                "artifactChanges": [
                    {**_file(finding.span.path), "replacements": [_replacement(edit) for edit in finding.edits]}
                ],
            }
        ]
    return result


def _replacement(edit: Edit) -> dict[str, Any]:
    return {
        "deletedRegion": {"byteOffset": edit.span.start, "byteLength": edit.span.end - edit.span.start},
        "insertedContent": {"text": edit.text.decode("utf-8", "replace")},
    }


def _file(path: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(path.encode("utf-8", "surrogateescape")), "uriBaseId": "SRCROOT"}}
