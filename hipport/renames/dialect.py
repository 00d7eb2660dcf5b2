"""What nvcc accepts and clang refuses, by words alone: `register`, and `__grid_constant__` of kernel parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

_DEVICE_WORDS = frozenset({b"__global__", b"__device__", b"__shared__", b"__constant__"})
# as a storage class: `register float x`, `register double* p`; never a variable pinned to a register by asm
_REGISTER = pattern(rb"(?<![\w.>:#])register([ \t]+)(?=(?:const\s+|unsigned\s+|volatile\s+)*[A-Za-z_][\w:]*[\s*&])")
_GRID_CONSTANT = pattern(rb"(?<!\w)__grid_constant__(?!\w)[ \t]*")
_PINNED = pattern(rb"[^;{}]*\b(?:asm|__asm__)\b")


def find_dialect(reading: Reading) -> Iterator[Finding]:
    """Findings about words that C++17 has taken out of the language, and those that only nvcc has."""
    yield from _grid_constants(reading)
    if b"register" not in reading.words or not reading.words & _DEVICE_WORDS:
        return
    for match in _REGISTER.finditer(reading.code):
        start, end = match.span()
        if reading.is_dead(start) or _PINNED.match(reading.code, end):
            continue
        yield reading.finding(
            "register-class", start, start + len("register"), "C++17, clang's default for HIP, has no `register`",
            Safety.SAFE, Status.RENAMED, "language", edits=((start, end, b""),),
        )  # fmt: skip


def _grid_constants(reading: Reading) -> Iterator[Finding]:
    """A parameter of a kernel that is not copied to the stack: AMD's compiler reads parameters in place anyway."""
    if b"__grid_constant__" not in reading.words:
        return
    for match in _GRID_CONSTANT.finditer(reading.code):
        start, end = match.span()
        line = reading.code[reading.line_start(start) : start]
        if not reading.is_dead(start) and not line.lstrip().startswith(b"#"):
            name_end = start + len("__grid_constant__")
            yield reading.finding(
                "grid-constant", start, name_end, "HIP has no `__grid_constant__`, and needs none",
                Safety.SAFE, Status.RENAMED, "language", edits=((start, end, b""),),
            )  # fmt: skip
