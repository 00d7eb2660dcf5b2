"""What nvcc accepts and clang refuses: `register`, `__grid_constant__`, `CUDART_CB`, `x = {}` of a half."""

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
# macros of CUDA's headers that say nothing on Linux, or nothing that AMD's compiler needs to hear
_SILENT = (b"CUDART_CB", b"CUDA_CB", b"CUDAAPI", b"CUDARTAPI", b"__nv_pure__")
_MACRO_NAME = pattern(rb"#[ \t]*(?:define|undef|ifdef|ifndef)[ \t]+\Z|#[ \t]*(?:el)?if(?![\w])")
_REGISTER_CAP = pattern(rb"(?<!\w)__maxnreg__[ \t]*\([^()]*\)[ \t]*")
_EMPTIED = pattern(rb"(?<=[;{})])\s*(\w+)[ \t]*=[ \t]*(\{[ \t]*\})[ \t]*;")
_HALF_NAMES = (b"half2", b"__half2", b"half", b"__half")
_PINNED = pattern(rb"[^;{}]*\b(?:asm|__asm__)\b")


def find_dialect(reading: Reading) -> Iterator[Finding]:
    """Findings about words that C++17 has taken out of the language, and those that only nvcc has."""
    yield from _grid_constants(reading)
    yield from _silent_words(reading)
    yield from _register_caps(reading)
    yield from _emptied_halves(reading)
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


def _silent_words(reading: Reading) -> Iterator[Finding]:
    """`void CUDART_CB done(...)`: a calling convention of Windows; a file that defines the word itself keeps it."""
    for word in _SILENT:
        if word not in reading.words:
            continue
        places = [(m.start(), m.end()) for m in pattern(rb"(?<!\w)%s(?!\w)[ \t]*" % word).finditer(reading.code)]
        lines = [reading.code[reading.line_start(start) : start].lstrip() for start, _ in places]
        if any(line.startswith(b"#") and line.endswith((b"define ", b"define\t")) for line in lines):
            continue
        for (start, end), line in zip(places, lines, strict=True):
            if reading.is_dead(start) or _MACRO_NAME.match(line):
                continue
            yield reading.finding(
                "nvcc-word", start, start + len(word), f"HIP has no `{word.decode()}`, and needs none", Safety.SAFE,
                Status.RENAMED, "language", edits=((start, end, b""),),
            )  # fmt: skip


def _register_caps(reading: Reading) -> Iterator[Finding]:
    """`__maxnreg__(64)` of a kernel: AMD's compiler is told of registers by the block and the waves it is made for."""
    if b"__maxnreg__" not in reading.words:
        return
    for match in _REGISTER_CAP.finditer(reading.code):
        start, end = match.span()
        if not reading.is_dead(start) and not reading.code[reading.line_start(start) : start].lstrip().startswith(b"#"):
            yield reading.finding(
                "nvcc-word", start, start + len("__maxnreg__"), "HIP has no `__maxnreg__`: the kernel loses its cap of "
                "registers", Safety.REVIEW, Status.REVIEW, "language", edits=((start, end, b""),),
                next_step="where occupancy matters: __launch_bounds__(MAX_THREADS, MIN_WAVES_PER_SIMD)",
            )  # fmt: skip


def _emptied_halves(reading: Reading) -> Iterator[Finding]:
    """`x = {}` of a half: CUDA's class has one assignment that takes it, HIP's several."""
    if not reading.words & frozenset(_HALF_NAMES):
        return
    for match in _EMPTIED.finditer(reading.code):
        declared = rb"(?<!\w)(__half2?|half2?)\s+(?:\w+(?:\s*=[^;,]*)?\s*,\s*)*%s\s*[;=,]" % match[1]
        found = pattern(declared).search(reading.code, 0, match.start(1))
        if found is None or reading.is_dead(match.start(1)):
            continue
        start, end = match.span(2)
        yield reading.finding(
            "half-braces", match.start(1), end, "assigning `{}` to a half is ambiguous in HIP", Safety.SAFE,
            Status.RENAMED, "language", edits=((start, start, found[1]),),
        )  # fmt: skip
