"""# syncwarp-mask: __syncwarp with a mask

ROCm 7 has `__syncwarp()`: a wavefront fence and a wave barrier, which keep LDS accesses in order. With a mask it
wants 64 bits: `__syncwarp(0xffffffff)` does not compile. The lanes of a wave run in lockstep, so the mask may go;
the ordering must stay. An empty macro in its place is wrong: the compiler then reorders LDS accesses across it.
Before ROCm 7 the name is missing: the shim has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "syncwarp-mask"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for site in unit.sites:
        if site.name != "__syncwarp" or not site.arguments:
            continue
        yield finding(
            unit,
            _ID,
            (site.start, site.end),
            "`__syncwarp` with a 32-bit mask does not compile with ROCm 7",
            edits=(edit(unit, site.start, site.end, b"__syncwarp()"),),
        )


RULE = Rule(
    _ID,
    "__syncwarp with a mask",
    ("W16",),
    "warp",
    Provenance(
        "HIP amd_warp_sync_functions.h (__syncwarp); tilelang PR 2872; kokkos PR 9511",
        "all",
        "from 7.0; before, the name is missing",
    ),
    _find,
)
