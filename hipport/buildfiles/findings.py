"""The findings of build files: one shape, so that each reader says only what is its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Edit, Finding, Safety, Span, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

_STATUS = {Safety.SAFE: Status.RENAMED, Safety.REVIEW: Status.REVIEW, Safety.MANUAL: Status.MANUAL}


def edited(rule: str, span: Span, text: str, message: str, *, review: bool = False, next_step: str = "") -> Finding:
    """A finding whose one edit puts `text` at the span."""
    safety = Safety.REVIEW if review else Safety.SAFE
    return Finding(
        rule=rule,
        span=span,
        message=message,
        safety=safety,
        status=_STATUS[safety],
        family="build",
        edits=(Edit(span, text.encode("latin-1")),),
        next_step=next_step,
    )


def left(rule: str, span: Span, message: str, next_step: str) -> Finding:
    """A finding for a person: nothing is edited."""
    return Finding(
        rule=rule,
        span=span,
        message=message,
        safety=Safety.MANUAL,
        status=Status.MANUAL,
        family="build",
        next_step=next_step,
    )


def apply(text: str, start: int, end: int, edits: Iterable[Edit]) -> str:
    """`text[start:end]` after those edits, which lie inside it and do not overlap."""
    out, at = [], start
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        out += [text[at : edit.span.start], edit.text.decode("latin-1")]
        at = edit.span.end
    return "".join((*out, text[at:end]))


def merged(findings: Iterable[Finding], span: Span, text: str) -> Finding:
    """One finding for all that change the same unit: the worst safety, every message, one edit."""
    parts = list(findings)
    worst = max(parts, key=lambda f: f.safety is Safety.REVIEW)
    return worst._replace(
        span=span,
        message="; ".join(dict.fromkeys(f.message for f in parts)),
        edits=(Edit(span, text.encode("latin-1")),),
    )
