"""# active-mask: the active lanes of 64 read as those of 32

`__activemask()` gives 64 bits on a wave64 target. In an `unsigned` the lanes 32-63 are lost: a leader found by
`__ffs` is always in the lower half, and a half without active lanes in the other's word gets an empty mask. The
rewrite takes the own half's bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import HALF_SHIFT, builtin, edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "active-mask"


def _in_mask_argument(unit: Unit, start: int, end: int) -> bool:
    """Whether the call is the mask of another site, which another rule drops with it."""
    masks = (s.arguments[0] for s in unit.sites if s.name.endswith("_sync") and len(s.arguments) > 1)
    return any(a <= start and end <= b for a, b in masks)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target):
        return
    for site in unit.sites:
        if site.name != "__activemask" or _in_mask_argument(unit, site.start, site.end):
            continue
        yield finding(
            unit,
            _ID,
            (site.start, site.end),
            "`__activemask` gives 64 bits: as a 32-bit word it loses lanes 32-63",
            edits=(
                edit(
                    unit, site.start, site.end, b"(unsigned)(" + builtin(unit, "__ballot") + b"(1)" + HALF_SHIFT + b")"
                ),
            ),
        )


RULE = Rule(
    _ID,
    "The active lanes of 64 read as those of 32",
    ("W10",),
    "warp",
    Provenance("ROCm HIP porting guide (lane masks); HIP amd_warp_functions.h", "wave64: silent"),
    _find,
)
