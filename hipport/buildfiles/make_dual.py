"""One Makefile for both vendors: `make HIP=1` takes the HIP lines, and the CUDA lines stay as they were."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.buildfiles.findings import apply, merged
from hipport.buildfiles.make_lines import Line, LineKind
from hipport.model import Finding, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HIP_CONDITION = re.compile(r"\b(?:HIP|USE_HIP|ROCM|USE_ROCM|WITH_HIP)\b|HIPCC")


def dual(text: str, path: str, parsed: Sequence[Line], findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings with the edits of each run of changed lines put behind `ifdef HIP`.

    Lines under a condition on HIP are left alone: they were written for both vendors already.
    """
    guarded = _guarded(text, parsed)
    root = False
    for run in _runs(parsed, findings, guarded):
        start, end = run[0][0].start, run[-1][0].end
        own = [f for _, fs in run for f in fs if f.edits]
        new = apply(text, start, end, [e for f in own for e in f.edits])
        if "ROCM_PATH)" in new and not root and "ROCM_PATH ?=" not in new:
            if run[0][0].kind is LineKind.RECIPE:
                new = new.replace("$(ROCM_PATH)", "$(or $(ROCM_PATH),/opt/rocm)")
            else:
                new = f"ROCM_PATH ?= /opt/rocm\n{new}"
        root = root or "ROCM_PATH ?=" in new
        block = f"ifdef HIP\n{new}\nelse\n{text[start:end]}\nendif"
        yield merged(own, Span(path, start, end), block)
    for finding in findings:
        if not finding.edits and not any(a <= finding.span.start < b for a, b in guarded):
            yield finding


def _runs(
    parsed: Sequence[Line], findings: Sequence[Finding], guarded: Sequence[tuple[int, int]]
) -> Iterator[list[tuple[Line, list[Finding]]]]:
    """Neighbouring changed lines of one kind (assignments, or recipe lines), each with its findings."""
    run: list[tuple[Line, list[Finding]]] = []
    for line in parsed:
        own = [f for f in findings if f.edits and line.start <= f.span.start and f.span.end <= line.end]
        if any(a <= line.start < b for a, b in guarded):
            own = []
        if run and (not own or line.kind is not run[-1][0].kind):
            yield run
            run = []
        if own:
            run.append((line, own))
    if run:
        yield run


def _guarded(text: str, parsed: Sequence[Line]) -> list[tuple[int, int]]:
    """The spans between a condition that mentions HIP and its `endif`, both branches."""
    stack: list[tuple[int, bool]] = []
    spans = []
    for line in parsed:
        if line.kind is not LineKind.DIRECTIVE:
            continue
        words = text[line.start : line.end].split()
        if words[0].startswith("if"):
            stack.append((line.start, bool(_HIP_CONDITION.search(text, line.start, line.end))))
        elif words[0] == "else" and len(words) > 1 and stack and _HIP_CONDITION.search(text, line.start, line.end):
            stack[-1] = (stack[-1][0], True)
        elif words[0] == "endif" and stack:
            start, mentions = stack.pop()
            if mentions:
                spans.append((start, line.end))
    return spans
