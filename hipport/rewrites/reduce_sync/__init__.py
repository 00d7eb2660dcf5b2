"""# reduce-sync: the __reduce_*_sync family

`__reduce_add_sync(mask, v)` and its kin reduce over the lanes of a mask. ROCm has them since 7.0, with a 64-bit
mask: the 32-bit one of CUDA does not compile, and one that is merely widened names only lanes 0-31, which is
undefined for the lanes 32-63 that call it. The shim reduces within the own 32 lanes by shuffles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import edit, finding, unreadable, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "reduce-sync"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for site in unit.sites:
        if not site.name.startswith("__reduce_"):
            continue
        if len(site.arguments) != 2:
            yield unreadable(unit, _ID, site, "2")
            continue
        message = (
            f"`{site.name}` with a 32-bit mask does not compile with ROCm 7, and widened it leaves out lanes 32-63"
            if wide(target)
            else f"`{site.name}` takes a 64-bit mask on AMD: the 32-bit one does not compile with ROCm 7"
        )
        edits = (edit(unit, site.start, site.open, b"hipport::" + site.name[2:].removesuffix("_sync").encode()),)
        yield finding(unit, _ID, (site.start, site.end), message, edits=edits, shims=("reduce_sync",))


RULE = Rule(
    _ID,
    "The __reduce_*_sync family",
    ("W23",),
    "warp",
    Provenance(
        "HIP amd_warp_sync_functions.h (__reduce_add_sync and others)",
        "all: compile error of the mask; wave64: wrong if widened",
        "before 7.0 the names are missing",
    ),
    _find,
)
