"""Code tied to NVIDIA's matrix units, TMA and clusters: told early, with where to go on AMD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import SourceFile
    from hipport.renames.reading import Reading

_TF32 = "TF32 is xf32 on gfx942, three bfloat16 products on gfx950, and plain fp32 on all other AMD GPUs"
_TOLERANCE = "compare with fp32's tolerance, or turn it off on both sides"
# word -> what it is about, and where to go; told once a file
_WORDS = {
    b"__cluster_dims__": (
        "AMD has no thread block clusters",
        "exchange through global memory, and give each block its own work",
    ),
    b"__block_size__": ("AMD has no thread block clusters", "state the block size with __launch_bounds__"),
    b"setAllowTF32CuBLAS": (_TF32, _TOLERANCE),
    b"__float_to_tf32": (
        "rocWMMA converts by assigning to xfloat32_t, on gfx942 only",
        "assign the float itself there; use bfloat16 or float elsewhere",
    ),
    b"setFloat32MatmulPrecision": (_TF32, _TOLERANCE),
    b"setFloat32Precision": (_TF32, _TOLERANCE),
    **dict.fromkeys(
        (b"kFloat4_e2m1fn_x2", b"Float4_e2m1fn_x2"),
        ("gfx950 alone computes in FP4", "keep FP4 to gfx950: decide by gcnArchName, and unpack elsewhere"),
    ),
    b"setAllowTF32CuDNN": (
        "MIOpen has no TF32: the convolution computes in fp32",
        _TOLERANCE,
    ),
}
_LIBRARIES = {
    b"cutlass": "Composable Kernel (ck_tile), hipBLASLt or Triton; or keep the file CUDA-only",
    b"cute": "ck_tile of Composable Kernel is the nearest; or keep the file CUDA-only",
}
_QUALIFIED = pattern(rb"(?<![\w:.>])(cutlass|cute)\s*::\s*\w")
_USING = pattern(rb"(?<!\w)using\s+namespace\s+(cutlass|cute)(?!\w)")
_PRECISION = pattern(rb"(?<!\w)(?:wmma\s*::\s*)?(?:experimental\s*::\s*)?precision\s*::\s*(b1|s4|u4|tf32)(?!\w)")
_PRECISIONS = {
    b"tf32": "rocWMMA has it as xfloat32_t, on gfx942 only: use float or bfloat16 elsewhere",
    b"b1": "AMD's matrix units have no 1-bit type: use popcounts",
    b"s4": "AMD's matrix units have no 4-bit integers: unpack to int8",
    b"u4": "AMD's matrix units have no 4-bit integers: unpack to int8",
}
_TRIGGERS = frozenset({*_WORDS, *_LIBRARIES, b"precision"})
# how a Python program asks PyTorch for TF32
_PYTHON_TF32 = pattern(
    rb"^[^#\n'\"]*?(?<![\w])((?:matmul\s*\.\s*|cudnn\s*\.\s*)?allow_tf32\s*=\s*True"
    rb"|set_float32_matmul_precision\s*\(\s*['\"](?:high|medium)['\"]"
    rb"|fp32_precision\s*=\s*['\"]tf32['\"])",
    re.MULTILINE,
)
# instructions of PTX -> where to go; the start of an opcode
PTX = (
    (rb"wmma\.", "rocWMMA has the interface of nvcuda::wmma"),
    (
        rb"(?:mma|ldmatrix|stmatrix|movmatrix)\.",
        "MFMA builtins on CDNA, WMMA on RDNA, or rocWMMA, Composable Kernel, Triton",
    ),
    (rb"(?:wgmma|tcgen05)\.", "Composable Kernel, hipBLASLt or Triton: AMD has neither warp groups nor tensor memory"),
    (rb"(?:cp\.(?:reduce\.)?async\.bulk|tensormap)[. ]", "AMD has no TMA: copy with plain loads of all threads"),
    (
        rb"(?:mbarrier|fence\.mbarrier_init|cp\.async\.mbarrier)[. ]",
        "AMD has no mbarrier before gfx1250: __syncthreads()",
    ),
    (rb"(?:mapa|getctarank|barrier\.cluster|st\.async)[. ]", "AMD has no thread block clusters"),
    (rb"(?:setmaxnreg|griddepcontrol|multimem)[. ]", "AMD has nothing like it: drop it"),
)
_PTX = tuple((pattern(rb"(?<![\w.])" + start), step) for start, step in PTX)


def find_matrix_units(reading: Reading) -> Iterator[Finding]:
    """One finding a file for each library and word, and one for each precision that AMD lacks."""
    present = reading.words & _TRIGGERS
    if not present:
        return
    code = reading.code
    for word in sorted(present & set(_WORDS)):
        at = code.find(word)
        if at >= 0 and not reading.is_dead(at):
            about, step = _WORDS[word]
            manual = about.startswith("AMD has no")
            yield _told(reading, at, at + len(word), f"`{word.decode()}`: {about}", step, manual=manual)
    for library in sorted(present & set(_LIBRARIES)):
        uses = [
            m
            for p in (_QUALIFIED, _USING)
            for m in p.finditer(code)
            if m[1] == library and not reading.is_dead(m.start())
        ]
        if uses:
            first = min(uses, key=lambda m: m.start())
            message = f"`{library.decode()}` ({len(uses)} uses in this file) is tied to NVIDIA's matrix units"
            yield _told(reading, first.start(1), first.end(1), message, _LIBRARIES[library], manual=True)
    for match in _PRECISION.finditer(code) if b"precision" in present and b"wmma" in reading.words else ():
        if not reading.is_dead(match.start()):
            shown = match[0].decode()
            yield _told(reading, *match.span(), f"`{shown}` of wmma", _PRECISIONS[match[1]], manual=True)


def find_tf32(source: SourceFile) -> tuple[Finding, ...]:
    """One finding for a Python file that has PyTorch multiply in TF32."""
    match = _PYTHON_TF32.search(source.data) if b"tf32" in source.data or b"float32_matmul" in source.data else None
    if match is None:
        return ()
    shown = match[1].decode("utf-8", "replace")
    about = _WORDS[b"setAllowTF32CuDNN"][0] if b"cudnn" in match[1] else _TF32
    place, message = Span(source.path, *match.span(1)), f"`{shown}`: {about}"
    return (Finding("matrix-units", place, message, Safety.REVIEW, Status.REVIEW, "wmma", next_step=_TOLERANCE),)


def ptx_step(text: bytes) -> str:
    """Where to go with inline PTX that has no counterpart on AMD; empty for other PTX."""
    return next((step for start, step in _PTX if start.search(text)), "")


def _told(reading: Reading, start: int, end: int, message: str, step: str, *, manual: bool) -> Finding:
    safety, status = (Safety.MANUAL, Status.MANUAL) if manual else (Safety.REVIEW, Status.REVIEW)
    return reading.finding("matrix-units", start, end, message, safety, status, "wmma", next_step=step)
