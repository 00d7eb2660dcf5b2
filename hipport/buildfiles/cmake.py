"""CMake files: HIP as a language instead of CUDA, its targets, variables, properties, options and sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.buildfiles import cmake_command, cmake_dual
from hipport.buildfiles.cmake_parse import CMakeSyntaxError, Command, commands
from hipport.buildfiles.findings import left
from hipport.buildfiles.locations import Sources
from hipport.config import Config, Style
from hipport.model import Finding, Safety, SourceFile, Span, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_CUDA = re.compile(r"cuda|nvcc|\.cu\b|\bcu(?:blas|fft|rand|sparse|solver)", re.IGNORECASE)
_HIP = re.compile(r"(?<![A-Za-z])(?:HIP|ROCM|AMD)(?![a-z])|hip|rocm", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the whole file says.

    `guarded`: spans under conditions on HIP. `hip`: it enables HIP already. `set_here`: variables that it sets itself.
    """

    guarded: tuple[tuple[int, int], ...]
    hip: bool
    set_here: frozenset[str]
    enables: bool  # CUDA becomes a language of the project here


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterable[Finding]:
    """What a CMake file needs for HIP."""
    text = source.data.decode("latin-1")
    if not _CUDA.search(text):
        return ()
    try:
        parsed = list(commands(text))
    except CMakeSyntaxError as error:
        return (_unparsed(source, error),)
    facts = _facts(text, parsed)
    todo = [c for c in parsed if not any(a <= c.start < b for a, b in facts.guarded)]
    if facts.hip:
        return _already(source.path, text, todo)
    sources = Sources(renamed, source.path)
    port = cmake_command.Port(text, source.path, config, sources, facts.set_here, enables=facts.enables)
    findings = [f for command in todo for f in _apart(list(port.command(command)))]
    if config.style is Style.DUAL:
        return cmake_dual.dual(text, source.path, parsed, findings, enables=facts.enables)
    return findings


def _apart(findings: list[Finding]) -> list[Finding]:
    """The findings of one command without those that edit inside of what another one replaces."""
    wide = [(e.span.start, e.span.end, f) for f in findings for e in f.edits if e.span.start < e.span.end]
    return [
        f
        for f in findings
        if not any(
            other is not f and a <= e.span.start < e.span.end <= b and (a, b) != (e.span.start, e.span.end)
            for e in f.edits
            for a, b, other in wide
        )
    ]


def _unparsed(source: SourceFile, error: CMakeSyntaxError) -> Finding:
    return Finding(
        rule="build-unparsed",
        span=Span(source.path, error.at, error.at),
        message=f"CMake does not read this file: {error}",
        safety=Safety.MANUAL,
        status=Status.UNPARSED,
        family="build",
        next_step="mend it, then port again",
    )


def _facts(text: str, parsed: Sequence[Command]) -> Facts:
    guarded = tuple(_guarded(text, parsed))
    hip = any(_enables(command, "HIP", {"hip"}) for command in parsed)
    set_here = {c.args[0].value for c in parsed if c.name in {"set", "option"} and c.args}
    enables = any(_enables(c, "CUDA", {"CUDA"}) for c in parsed if not any(a <= c.start < b for a, b in guarded))
    return Facts(guarded, hip, frozenset(set_here), enables)


def _enables(command: Command, language: str, packages: set[str]) -> bool:
    """Whether a command makes a language, or its old package, part of the build."""
    values = command.values()
    if command.name == "enable_language":
        return language in values
    if command.name == "project":
        return language in values[1:]
    return command.name == "find_package" and bool(values) and values[0] in packages


def _guarded(text: str, parsed: Sequence[Command]) -> Iterable[tuple[int, int]]:
    """The spans of `if` to `endif` of which some condition asks for HIP: all of their branches."""
    stack: list[tuple[int, bool]] = []
    for command in parsed:
        if command.name == "if":
            stack.append((command.start, _asks(text, command)))
        elif command.name == "elseif" and stack and _asks(text, command):
            stack[-1] = (stack[-1][0], True)
        elif command.name == "endif" and stack:
            start, hip = stack.pop()
            if hip:
                yield start, command.end


def _asks(text: str, command: Command) -> bool:
    return _HIP.search(text[command.name_end : command.end]) is not None


def _already(path: str, text: str, todo: Sequence[Command]) -> Iterable[Finding]:
    """One word on a file that builds for HIP already and has CUDA outside of its conditions."""
    rest = [c for c in todo if c.name != "message" and re.search(r"\bCUDA\b|CUDA_|CUDA::", text[c.start : c.end])]
    if rest and "USE_HIP" not in text:
        span = Span(path, rest[0].start, rest[0].end)
        message = "this file builds for HIP already: its CUDA parts were left as they are"
        yield left("build-language", span, message, "put what is CUDA's alone under a condition")
