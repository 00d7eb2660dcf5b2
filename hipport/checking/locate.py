"""Findings with lines, columns and an excerpt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Located
from hipport.source.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.model import Finding, SourceFile


def locate(source: SourceFile, findings: Iterable[Finding]) -> tuple[Located, ...]:
    """The findings of one file in the order of their places."""
    ordered = sorted(findings, key=lambda f: (f.span.start, f.span.end, f.rule, f.message))
    if not ordered:
        return ()
    index = LineIndex(source.data)
    return tuple(_locate(finding, index) for finding in ordered)


def _locate(finding: Finding, index: LineIndex) -> Located:
    start, end = index.position(finding.span.start), index.position(finding.span.end)
    excerpt = index.text(start.line)
    return Located(finding, *start, *end, excerpt)
