"""Files that no reader of build files knows and that still name CUDA sources or nvcc: scripts, manifests."""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.model import SourceFile

_NAMES = frozenset({"manifest.in", "sconstruct", "sconscript", "wscript", "xmake.lua", "premake5.lua", "build.zig"})
_SUFFIXES = (".sh", ".bash", ".bat", ".cmd", ".ps1", ".gn", ".gni", ".pro", ".ninja")
_SOURCE = pattern(rb"[\w.+/*?-]*\.cu\b(?![\w.])")
_NVCC = pattern(rb"(?<![\w.-])nvcc(?![\w.-])")
_COMMENT = pattern(rb"[ \t]*(?:#|//|::|--|rem\b)", re.IGNORECASE)


def wanted(path: str) -> bool:
    """Whether a path is that of a script or manifest."""
    name = path.rsplit("/", 1)[-1].lower()
    return name in _NAMES or name.endswith(_SUFFIXES)


def find(source: SourceFile, renamed: Mapping[str, str]) -> tuple[Finding, ...]:
    """A finding for each mention of a renamed source, and of nvcc, outside of comment lines."""
    found = sorted((*_sources(source, renamed), *_compilers(source)), key=lambda finding: finding.span.start)
    return tuple(finding for finding in found if not _COMMENT.match(source.data, _line_start(source, finding)))


def _line_start(source: SourceFile, finding: Finding) -> int:
    return source.data.rfind(b"\n", 0, finding.span.start) + 1


def _sources(source: SourceFile, renamed: Mapping[str, str]) -> Iterator[Finding]:
    names = {path.rsplit("/", 1)[-1]: new.rsplit("/", 1)[-1] for path, new in renamed.items()}
    for match in _SOURCE.finditer(source.data):
        word = match.group().decode("utf-8", "surrogateescape")
        name = word.rsplit("/", 1)[-1]
        new = names.get(name)
        if new is None and any(c in name for c in "*?") and fnmatch.filter(names, name):
            new = "named .hip"
        if new is not None:
            said = f"`{word}` is {new if new.startswith('named') else f'`{new}`'} in the port, and is not changed here"
            yield _manual(source, match, "reference-not-updated", said, "write the new name")


def _compilers(source: SourceFile) -> Iterator[Finding]:
    for match in _NVCC.finditer(source.data):
        yield _manual(source, match, "script-calls-nvcc", "calls `nvcc`", "call hipcc, with --offload-arch for -arch")


def _manual(source: SourceFile, match: re.Match[bytes], rule: str, message: str, next_step: str) -> Finding:
    return Finding(
        rule=rule,
        span=Span(source.path, *match.span()),
        message=message,
        safety=Safety.MANUAL,
        status=Status.MANUAL,
        family="build",
        next_step=next_step,
    )
