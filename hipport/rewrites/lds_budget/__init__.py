"""# lds-budget: more LDS than a block may have

CUDA gives a block 48 KiB of shared memory, and 99 to 227 KiB after the opt-in by `cudaFuncSetAttribute`. On AMD a block
may have 64 KiB of LDS on gfx906 to gfx942 and on RDNA, 160 KiB on gfx950; there is no opt-in, and nothing lifts the
limit. A kernel that wants more compiles where the size comes with the launch; then `hipFuncSetAttribute` and the
launch fail with `hipErrorInvalidValue`, and a program that does not ask computes nothing in silence. A static array
above the limit does not compile ("local memory (N) exceeds limit").

Told here, for each target: kernels whose `__shared__` arrays, together with the LDS of a launch, exceed it, and the
largest tile that fits; an opt-in beyond it; limits of CUDA GPUs that are spelled out (48 KiB: no fault, but LDS is left
unused; 96 to 228 KiB: too much), and a 64 KiB written for AMD, which leaves more than half of gfx950's LDS unused or
refuses sizes that fit there. Choose the tile by `hipDeviceAttributeMaxSharedMemoryPerBlock`.

Sizes are clang's where it can look: structures, and every instance of a template that a launch makes, with the arrays
of helpers that it calls. Elsewhere they are folded from text (constants, `sizeof`, members). What has no known size,
another one on AMD, or may be discarded with a branch, counts as nothing: a sum may be too low, never too high.
`hipport compile` tells the same of a kernel as the compiler laid it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.lds_budget import constants, demands
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    yield from demands.find(unit, target)
    yield from constants.find(unit, target)


RULE = Rule(
    demands.ID,
    "More LDS than a block may have",
    ("M01", "M02", "M03", "M04", "M05"),
    "lds",
    Provenance(
        "clang (local memory exceeds limit); ROCm/clr hip_module.cpp; flashinfer PR 284; sglang PR 28518",
        "gfx906 to gfx942, RDNA: 64 KiB; gfx950: 160 KiB",
    ),
    _find,
)
