"""Other languages inside strings: kernels for NVRTC, cupy or load_inline, and PTX. Flagged, never edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern
from hipport.renames.matrix_units import ptx_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import SourceFile
    from hipport.renames.reading import Reading

_KERNEL = pattern(rb"__global__|__device__|<<<|\b(?:threadIdx|blockIdx)\b|\.target\s+sm_|#[ \t]*include\s*<cuda")
_SIGN = (b"__global__", b"__device__", b"threadIdx", b"blockIdx", b".target")
_ASM_WORDS = frozenset({b"asm", b"__asm__", b"__asm"})
_ASM = pattern(rb"\b(?:asm|__asm__|__asm)\s*(?:volatile|__volatile__|goto)?\s*\(\s*(?=\")()")
_PTX = pattern(rb"\"[^\"]*\b[a-z][a-z0-9_]*\.[a-z][\w.:]*[\s;]")
_SHORTEST = 25  # bytes of the shortest literal that is a kernel
_PYTHON_STRING = pattern(
    rb"\#[^\n]*|[rRbBuUfF]{0,2}(?:'''(?:[^\\]|\\[\s\S])*?'''|\"\"\"(?:[^\\]|\\[\s\S])*?\"\"\""
    rb"|'(?:[^'\\\n]|\\[\s\S])*'|\"(?:[^\"\\\n]|\\[\s\S])*\")"
)
# who compiles the string, as the code says, and what to do about it
_ON_HIPRTC = "cupy on ROCm compiles it with hipRTC: port the source as HIP"
_COMPILERS = (
    (b"load_inline", "load_inline of torch", "torch hipifies `cuda_sources` on ROCm by itself: port what it leaves"),
    (b"RawKernel", "cupy.RawKernel", _ON_HIPRTC),
    (b"RawModule", "cupy.RawModule", _ON_HIPRTC),
    (b"ElementwiseKernel", "cupy.ElementwiseKernel", _ON_HIPRTC),
    (b"SourceModule", "pycuda.SourceModule", "pycuda has no HIP backend: use hip-python or cupy"),
    (b"nvrtc", "NVRTC", "hipRTC compiles it: port the source as HIP"),
)


def find_in_strings(reading: Reading) -> Iterator[Finding]:
    """Findings about string literals of a C++ file that hold device code."""
    data = reading.source.data
    for start, end in reading.strings:
        if end - start < _SHORTEST:
            continue
        if _is_device_code(data[start:end]) and not reading.is_dead(start):
            yield _finding(reading.source, data, start, end)


def find_ptx(reading: Reading) -> Iterator[Finding]:
    """Findings about inline assembly for NVIDIA GPUs; the rules for PTX know more and replace these."""
    for match in _ASM.finditer(reading.code) if reading.words & _ASM_WORDS else ():
        start, end = match.span()
        text = reading.source.data[match.start(1) : reading.code.find(b";", end)]
        if _PTX.search(text) and not reading.is_dead(start):
            step = ptx_step(text) or "port with the PTX rules too (without `--only rename`)"
            yield reading.finding(
                "inline-ptx", start, match.start(1), "inline PTX: AMD compilers refuse it", Safety.MANUAL,
                Status.MANUAL, "ptx", next_step=step,
            )  # fmt: skip


def find_in_python(source: SourceFile) -> tuple[Finding, ...]:
    """Findings about string literals of a Python file that hold device code."""
    data = source.data
    if not any(sign in data for sign in _SIGN):
        return ()
    return tuple(
        _finding(source, data, match.start(), match.end())
        for match in _PYTHON_STRING.finditer(data)
        if data[match.start()] != 35 and _is_device_code(match[0])
    )


def _is_device_code(text: bytes) -> bool:
    if not _KERNEL.search(text):
        return False
    return b"{" in text or b";" in text or b"__global__" in text


def _finding(source: SourceFile, data: bytes, start: int, end: int) -> Finding:
    by, next_step = "a compiler at run time", "port the source in the string as HIP"
    for word, name, step in _COMPILERS:
        if word in data:
            by, next_step = name, step
            break
    message = f"a kernel inside a string, for {by}: it is not edited"
    return Finding(
        "kernel-in-string", Span(source.path, start, end), message, Safety.MANUAL, Status.MANUAL, "strings",
        next_step=next_step,
    )  # fmt: skip
