"""`// hipport: ignore[rule, ...] reason`: findings that the code's author has judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipport.checking.severity import selectors
from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern
from hipport.source.lines import LineIndex

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from hipport.model import SourceFile

_MARK = b"hipport:"
_COMMENT = pattern(rb"(?://|/\*|#)[ \t]*hipport:[ \t]*ignore\b[ \t]*(?:\[(?P<rules>[^\]\r\n]*)\])?")
_COMMENT_ONLY = pattern(r"\s*(?://|/\*|#)")


class Excuse(NamedTuple):
    """One comment: the rules that it names and the line (from 1) that it is about."""

    rules: tuple[str, ...]
    line: int
    span: Span


def excuses(source: SourceFile) -> tuple[Excuse, ...]:
    """The file's excuses; one that stands alone on its line is about the next line that is no comment."""
    if _MARK not in source.data:
        return ()
    index = LineIndex(source.data)
    return tuple(_excuse(source.path, match, index) for match in _COMMENT.finditer(source.data))


def _excuse(path: str, match: re.Match[bytes], index: LineIndex) -> Excuse:
    line = index.position(match.start()).line
    if _COMMENT_ONLY.match(index.text(line)):
        while line < len(index) and _COMMENT_ONLY.match(index.text(line)):
            line += 1
    names = (match["rules"] or b"").decode("utf-8", "replace").split(",")
    return Excuse(tuple(name.strip() for name in names if name.strip()), line, Span(path, match.start(), match.end()))


def apply(
    source: SourceFile, findings: Iterable[Finding], *, complete: bool = True
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Split the findings into those that stand and those that are excused.

    An excuse that names no rule, or (if `complete`: every rule has run) excuses nothing, is itself a finding.
    """
    found = tuple(findings)
    written = excuses(source)
    if not written:
        return found, ()
    index = LineIndex(source.data)
    used: set[Excuse] = set()
    standing: list[Finding] = []
    excused: list[Finding] = []
    for finding in found:
        line = index.position(finding.span.start).line
        reasons = [e for e in written if e.line == line and selectors(finding) & {*e.rules}]
        used.update(reasons)
        (excused if reasons else standing).append(finding)
    standing += [_complaint(e) for e in written if not e.rules or (complete and e not in used)]
    return tuple(standing), tuple(excused)


def _complaint(excuse: Excuse) -> Finding:
    if not excuse.rules:
        message, step = "`hipport: ignore` names no rule", "write `hipport: ignore[rule-id] reason`"
    else:
        message, step = f"unused `hipport: ignore[{', '.join(excuse.rules)}]`: nothing here to ignore", "remove it"
    return Finding("unused-ignore", excuse.span, message, Safety.REVIEW, Status.REVIEW, "check", next_step=step)
