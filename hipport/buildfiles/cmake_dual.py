"""One CMake file for both vendors: `-DUSE_HIP=ON` takes the HIP commands, the CUDA commands stay as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.buildfiles.findings import apply, edited, merged
from hipport.model import Finding, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.buildfiles.cmake_parse import Command

_OPTION = 'option(USE_HIP "Build for AMD GPUs with HIP" OFF)'
_MINIMUM = "if(USE_HIP)\n  cmake_minimum_required(VERSION 3.21.3)\nendif()"
_CONDITIONS = {"if", "elseif", "while", "else", "endif", "endwhile"}


def dual(
    text: str, path: str, parsed: Sequence[Command], findings: Sequence[Finding], *, enables: bool
) -> Iterator[Finding]:
    """The findings with each changed command put behind `if(USE_HIP)`; conditions are changed in place."""
    changed = False
    for run in _runs(text, parsed, findings):
        changed = True
        own = [f for _, fs in run for f in fs]
        if run[0][0].name in _CONDITIONS:
            yield from own
            continue
        start, end = run[0][0].start, run[-1][0].end
        line = text.rfind("\n", 0, start) + 1
        pad = text[line:start] if not text[line:start].strip() else ""
        edits = list({(e.span.start, e.span.end, e.text): e for f in own for e in f.edits}.values())
        new = apply(text, line if pad or line == start else start, end, edits)
        new = new if new.startswith(pad) else pad + new
        block = f"if(USE_HIP)\n{_deeper(new)}\n{pad}else()\n{_deeper(pad + text[start:end])}\n{pad}endif()"
        yield merged(own, Span(path, start, end), block)
    yield from (f for f in findings if not f.edits)
    if changed and (place := _after_minimum(parsed)) is not None:
        lines = f"\n{_OPTION}" + (f"\n{_MINIMUM}" if enables else "")
        yield edited("build-language", Span(path, place, place), lines, "USE_HIP chooses the vendor")


def _deeper(text: str) -> str:
    return "\n".join(f"  {line}" if line.strip() else line for line in text.split("\n"))


def _runs(
    text: str, parsed: Sequence[Command], findings: Sequence[Finding]
) -> Iterator[list[tuple[Command, list[Finding]]]]:
    """Neighbouring changed commands, each with its findings; a condition is a run of its own."""
    run: list[tuple[Command, list[Finding]]] = []
    for command in parsed:
        own = [f for f in findings if f.edits and command.start <= f.span.start and f.span.end <= command.end]
        alone = command.name in _CONDITIONS
        near = bool(run) and not text[run[-1][0].end : command.start].strip()
        if run and (not own or alone or not near or run[-1][0].name in _CONDITIONS):
            yield run
            run = []
        if own:
            run.append((command, own))
    if run:
        yield run


def _after_minimum(parsed: Sequence[Command]) -> int | None:
    """The end of cmake_minimum_required, where a top-level file takes the option; None for the files under it."""
    minimum = next((c for c in parsed if c.name == "cmake_minimum_required"), None)
    if minimum is None or not any(c.name == "project" for c in parsed):
        return None
    if any(c.name == "option" and c.args and c.args[0].value == "USE_HIP" for c in parsed):
        return None
    return minimum.end
