"""A check's answer in the formats of CI systems: GitHub annotations, GitLab code quality, JUnit XML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from hipport.checking.severity import Severity, severity
from hipport.plain import printable, unicode

if TYPE_CHECKING:
    from hipport.checking.answer import CheckAnswer
    from hipport.model import Located

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_GITLAB = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def github(answer: CheckAnswer) -> str:
    """One workflow command a finding."""
    lines = []
    for found in answer.shown:
        place = f"file={_property(found.finding.span.path)},line={found.line},col={found.column}"
        end = f"endLine={found.end_line},endColumn={found.end_column}"
        title = f"title={_property('hipport ' + found.finding.rule)}"
        level = _GITHUB[severity(found.finding)]
        lines.append(f"::{level} {place},{end},{title}::{_data(_said(found))}")
    lines += [f"::error file={_property(p.path)}::{_data('could not be checked: ' + p.error)}" for p in answer.problems]
    return "".join(line + "\n" for line in lines)


def gitlab(answer: CheckAnswer) -> str:
    """GitLab's Code Quality report: a JSON list whose fingerprints are unique."""
    rows = []
    seen: dict[str, int] = {}
    for found in answer.shown:
        nth = seen.get(found.fingerprint, 0)
        seen[found.fingerprint] = nth + 1
        rows.append(
            {
                "description": _said(found),
                "check_name": found.finding.rule,
                "fingerprint": f"{found.fingerprint}-{nth}" if nth else found.fingerprint,
                "severity": _GITLAB[severity(found.finding)],
                "location": {"path": unicode(found.finding.span.path), "lines": {"begin": found.line}},
            }
        )
    return json.dumps(rows, indent=1) + "\n"


def junit(answer: CheckAnswer) -> str:
    """JUnit XML: a test case a finding, failed where it fails the check; one that passes where there is none."""
    failing = set(answer.failing)
    cases = [_case(found, failed=found in failing) for found in answer.shown]
    cases += [
        f"<testcase classname={_attribute(p.path)} name='readable'><error message={_attribute(p.error)}/></testcase>"
        for p in answer.problems
    ]
    cases = cases or ["<testcase classname='hipport' name='check'/>"]
    head = f"tests='{len(cases)}' failures='{len(failing)}' errors='{len(answer.problems)}'"
    return (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        f"<testsuites><testsuite name='hipport' {head}>\n" + "\n".join(cases) + "\n</testsuite></testsuites>\n"
    )


def _case(found: Located, *, failed: bool) -> str:
    name = _attribute(f"{found.finding.rule} {found.line}:{found.column}")
    head = f"<testcase classname={_attribute(found.finding.span.path)} name={name}"
    if not failed:
        return f"{head}/>"
    return (
        f"{head}><failure message={_attribute(found.finding.message)}>{escape(_xml(_said(found)))}</failure></testcase>"
    )


def _said(found: Located) -> str:
    step = found.finding.next_step
    return f"{found.finding.message}; next: {step}" if step else found.finding.message


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return printable(_data(text)).replace(":", "%3A").replace(",", "%2C")


def _xml(text: str) -> str:
    """XML 1.0 has no place for most control characters: they are shown escaped."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))
