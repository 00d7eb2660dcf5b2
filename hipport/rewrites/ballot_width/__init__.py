"""# ballot-width: a ballot of 64 lanes read as one of 32

`__ballot_sync` gives one bit a lane: 32 bits in CUDA, 64 on a wave64 target. Kept in an `unsigned` the bits of
lanes 32-63 are lost; compared, counted or stored as a 32-bit word the result is that of the lower half for both
halves. No compiler warns.

The rewrite asks for the bits of the 32 lanes that a lane belongs to: `(unsigned)(__ballot(p) >> (__lane_id() &
32))`. All that follows keeps its 32-bit words: `__popc`, `__ffs`, `1u << lane`, arrays of words and file formats.
Where the mask is not known to name the whole warp the result is cut by it, as in CUDA.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Safety
from hipport.rewrites.forms import HALF_SHIFT, builtin, edit, finding, is_full, source, unreadable, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "ballot-width"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for site in unit.sites:
        if site.name not in ("__ballot_sync", "__ballot"):
            continue
        skip = 1 if site.name == "__ballot_sync" else 0
        if not skip and (not wide(target) or unit.text.code[site.end :].lstrip().startswith(b">> (__lane_id")):
            continue
        if len(site.arguments) != 1 + skip:
            yield unreadable(unit, _ID, site, str(1 + skip))
            continue
        message = (
            f"`{site.name}` gives 64 bits: as a 32-bit word it loses lanes 32-63"
            if wide(target)
            else f"`{site.name}` takes a 64-bit mask on AMD: the 32-bit one does not compile with ROCm 7"
        )
        close = b")" + HALF_SHIFT + b")"
        opening = b"(unsigned)(" + builtin(unit, "__ballot") + b"("
        if skip and not is_full(unit, site.arguments[0]):
            opening = b"(" + opening
            close += b" & (" + source(unit, site.arguments[0]) + b"))"
        edits = (
            edit(unit, site.start, site.arguments[skip][0], opening),
            edit(unit, site.close, site.end, close),
        )
        yield finding(unit, _ID, (site.start, site.end), message, edits=edits, safety=Safety.SAFE)


RULE = Rule(
    _ID,
    "A ballot of 64 lanes read as one of 32",
    ("W04", "W08", "W12", "W13"),
    "warp",
    Provenance(
        "ROCm HIP porting guide (lane masks); FBGEMM PR 5830; HeCBench PRs 177 and 180",
        "wave64: silent; all: compile error of the mask",
        "masks: from 7.0",
    ),
    _find,
)
