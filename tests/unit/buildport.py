"""What the tests of build files share: one file ported, with its edits applied."""

from __future__ import annotations

from hipport.buildfiles import find
from hipport.config import Config, Style
from hipport.model import Finding, SourceFile
from hipport.source.edits import apply


def ported(
    path: str, text: str, renamed: dict[str, str] | None = None, style: Style = Style.HIP
) -> tuple[str, tuple[Finding, ...]]:
    """The new text and the findings; a second run must change nothing."""
    config = Config(style=style)
    data = text.encode()
    findings = find(SourceFile(path, data), config, renamed or {})
    done = apply(data, findings)
    assert not done.skipped, [s.reason for s in done.skipped]
    again = find(SourceFile(path, done.result), config, renamed or {})
    assert apply(done.result, again).result == done.result, "a second run changes it again"
    return done.result.decode(), findings


def said(findings: tuple[Finding, ...]) -> str:
    return "\n".join(f"{f.safety.value} {f.rule}: {f.message} {f.next_step}" for f in findings)
