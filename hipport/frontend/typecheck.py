"""Type checks in process: what clang says of a file, with no compiler installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_KEEP_GOING = 0x200  # CXTranslationUnit_KeepGoing: a fatal error, such as a missing header, ends nothing


@dataclass(frozen=True, slots=True)
class Problem:
    """One message of clang: severity `warning` or `error`, `flag` the option that turns it on."""

    file: str
    line: int
    column: int
    severity: str
    message: str
    flag: str


def available() -> str:
    """The version of libclang that can be loaded; empty where there is none."""
    try:
        from clang import cindex

        clang_version = cindex.conf.lib.clang_getClangVersion
    except Exception:  # noqa: BLE001  # the binding raises its own error types, or the loader's, for a missing library
        return ""
    clang_version.restype = cindex._CXString  # noqa: SLF001  # the binding wraps this type and exports no reader
    text = str(cindex._CXString.from_result(clang_version()))  # noqa: SLF001
    words = text.partition("version ")[2].split()
    return words[0] if words else ""


def type_check(source: Path, words: Sequence[str]) -> tuple[Problem, ...]:
    """Parse `source` with these words of a clang command line; everything clang has to say, in order.

    A word `-isystem` must be among them: without one the libclang-ng binding adds a libc++ that mixes badly with the
    system's libstdc++.
    """
    from clang import cindex

    try:
        unit = cindex.Index.create().parse(str(source), args=list(words), options=_KEEP_GOING)
    except cindex.TranslationUnitLoadError:
        return (Problem(str(source), 0, 0, "error", "clang could not read the file at all", ""),)
    return tuple(_problems(unit.diagnostics))


def _problems(diagnostics: object) -> Iterator[Problem]:
    for item in diagnostics:  # type: ignore[attr-defined]
        if item.severity < 2:  # ignored and notes
            continue
        place = item.location
        name = place.file.name if place.file else ""
        severity = "warning" if item.severity == 2 else "error"
        yield Problem(name, place.line, place.column, severity, item.spelling, item.option or "")
