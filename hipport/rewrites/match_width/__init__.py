"""# match-width: lanes with equal values, over 64 lanes

`__match_any_sync` and `__match_all_sync` compare the 32 lanes of a warp; on a wave64 target HIP compares 64 and
gives a 64-bit result. `__match_any_sync(m, v)` becomes the own half of HIP's `__match_any(v)`; `__match_all_sync`
needs a shim, because whether *all* lanes agree cannot be told for a half from the answer for the wave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import HALF_SHIFT, edit, finding, is_full, source, unreadable, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "match-width"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for site in unit.sites:
        if site.name not in ("__match_any_sync", "__match_all_sync"):
            continue
        every = site.name == "__match_all_sync"
        wanted = 3 if every else 2
        if len(site.arguments) != wanted:
            yield unreadable(unit, _ID, site, str(wanted))
            continue
        message = (
            f"`{site.name}` compares 64 lanes: one 32-lane warp sees the other's values"
            if wide(target)
            else f"`{site.name}` takes a 64-bit mask on AMD: the 32-bit one does not compile with ROCm 7"
        )
        span = (site.start, site.end)
        if every:
            name = edit(unit, site.start, site.open, b"hipport::match_all")
            yield finding(unit, _ID, span, message, edits=(name,), shims=("half_wave",))
            continue
        close = b")" + HALF_SHIFT + b")"
        opening = b"(unsigned)(__match_any("
        if not is_full(unit, site.arguments[0]):
            opening = b"(" + opening
            close += b" & (" + source(unit, site.arguments[0]) + b"))"
        edits = (edit(unit, site.start, site.arguments[1][0], opening), edit(unit, site.close, site.end, close))
        yield finding(unit, _ID, span, message, edits=edits)


RULE = Rule(
    _ID,
    "Lanes with equal values, over 64 lanes",
    ("W11",),
    "warp",
    Provenance(
        "HIP amd_warp_sync_functions.h (__match_any, __match_all)",
        "wave64: silent; all: compile error of the mask",
        "masks: from 7.0",
    ),
    _find,
)
