"""`--style dual`: CUDA names stay in the sources; a vendor header gives those that are used their HIP meaning."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from hipport.model import Edit, Finding, Safety, Span, Status
from hipport.patterns import pattern
from hipport.renames.includes import implicit_place, read_includes
from hipport.renames.reading import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.model import SourceFile

HEADER = "hipport_vendor.h"
_NAME = pattern(rb"[A-Za-z_]\w*")
_RUNTIME = b"#include <hip/hip_runtime.h>"


def names(source: SourceFile, findings: Iterable[Finding]) -> frozenset[tuple[str, str]]:
    """What the vendor header must say for a file: (`cudaMalloc`, `hipMalloc`), (`namespace cub`, `hipcub`)."""
    if is_header(source.path):
        return frozenset()
    return frozenset(pair for finding in findings if (pair := _pair(source, finding)))


def is_header(path: str) -> bool:
    """Whether a file is the vendor header of an earlier port: no part of the sources."""
    return posixpath.basename(path) == HEADER


def find(source: SourceFile, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of a file for both vendors.

    A plain rename is done by the vendor header: its edit keeps the text. nvcc's implicit include is what that header
    brings. What HIP never compiles is left alone, so that a second run finds nothing. And the header is included.
    """
    if is_header(source.path):
        return []
    reading = read(source)
    kept: list[Finding] = []
    needed = False
    for finding in findings:
        if finding.edits and any(reading.is_dead(e.span.start) for e in finding.edits):
            continue
        if _implicit(finding):
            needed = True
        elif _pair(source, finding):
            needed = True
            span = finding.edits[0].span
            kept.append(finding._replace(edits=(Edit(span, source.data[span.start : span.end]),)))
        else:
            needed = needed or bool(finding.edits)
            kept.append(finding)
    if needed and HEADER.encode() not in source.data:
        place, lead = implicit_place(reading, read_includes(reading))
        kept.append(_including(source, place, lead))
    return kept


def _including(source: SourceFile, place: int, lead: bytes) -> Finding:
    path = posixpath.relpath(HEADER, posixpath.dirname(source.path) or ".")
    newline = b"\r\n" if b"\r\n" in source.data else b"\n"
    text = lead + b'#include "' + path.encode("utf-8", "surrogateescape") + b'"' + newline
    span = Span(source.path, place, place)
    return Finding(
        rule="vendor-header",
        span=span,
        message=f"`{HEADER}` gives the CUDA names of this file their HIP meaning",
        safety=Safety.SAFE,
        status=Status.RENAMED,
        family="include",
        edits=(Edit(span, text),),
    )


def _implicit(finding: Finding) -> bool:
    """Whether a finding adds the include that nvcc makes by itself."""
    return finding.rule == "include" and len(finding.edits) == 1 and finding.edits[0].text.strip() == _RUNTIME


def _pair(source: SourceFile, finding: Finding) -> tuple[str, str] | None:
    """The name that a finding renames and the new one, if that is all it does."""
    if finding.rule not in {"rename", "namespace"} or len(finding.edits) != 1:
        return None
    edit = finding.edits[0]
    if edit.span != finding.span:  # `cuda` of `thrust::cuda`: no name by itself
        return None
    old = source.data[edit.span.start : edit.span.end]
    if not (_NAME.fullmatch(old) and _NAME.fullmatch(edit.text)):
        return None
    if finding.rule == "namespace":
        return f"namespace {old.decode()}", edit.text.decode()
    return old.decode(), edit.text.decode()


def lines(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The lines of the header's marked part."""
    spaces, macros = [], []
    for old, new in sorted(set(pairs)):
        if old.startswith("namespace "):
            spaces.append(f"namespace {new} {{}}")
            spaces.append(f"{old} = {new};")
        else:
            macros.append(f"#define {old} {new}")
    return [*macros, *spaces]


_PART = pattern(r"(// hipport: begin\n)(.*?)(// hipport: end)", re.DOTALL)
_DEFINE = pattern(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\b[^\n]*$", re.MULTILINE)


def merged(existing: str, fresh: str) -> str:
    """The header after another run: the marked part is new, but for values changed by hand; all else stays."""
    old, new = _PART.search(existing), _PART.search(fresh)
    if old is None or new is None:
        return existing
    outside = set(_DEFINE.findall(existing[: old.start()] + existing[old.end() :]))
    by_hand = {match[1]: match[0] for match in _DEFINE.finditer(old[2])}
    part = []
    for line in new[2].splitlines():
        match = _DEFINE.match(line)
        if match and match[1] in outside:
            continue
        part.append(by_hand.get(match[1], line) if match else line)
    text = "".join(f"{line}\n" for line in part)
    return existing[: old.start(2)] + text + existing[old.end(2) :]
