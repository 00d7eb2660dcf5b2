"""# vote-width: any and all over both halves of a wave

`__any_sync` and `__all_sync` ask the 32 lanes of a warp. On a wave64 target HIP's ask 64: one 32-lane half sees the
other's votes. A loop that ends "when no lane has work" then runs as long as either half has some, which may be
right or merely slow; a per-row decision becomes wrong. The rewrite tests the bits of the own half:
`((unsigned)(__ballot(p) >> (__lane_id() & 32)) != 0)`, and for `all` that no active lane votes against.

The votes of a block, `__syncthreads_count`, `_and` and `_or`, are right as they are: HIP has them, and they know no
warp (executed: tests/test_block_votes.py). What they need is that every thread of the block gets there:
barrier-divergence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import HALF_SHIFT, builtin, edit, finding, is_full, source, unreadable, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "vote-width"
_NAMES = frozenset({"__any_sync", "__all_sync", "__any", "__all"})


def _edits(unit: Unit, site: CallSite, skip: int) -> tuple[Edit, ...]:
    every = site.name.startswith("__all")
    cut = b""
    if skip and not is_full(unit, site.arguments[0]):
        cut = b" & (" + source(unit, site.arguments[0]) + b")"
    opening = b"((unsigned)(" + builtin(unit, "__ballot") + b"(" + (b"!(" if every else b"")
    close = (b"))" if every else b")") + HALF_SHIFT + b")"
    if cut:
        opening = b"(" + opening
        close += cut + b")"
    close += b" == 0)" if every else b" != 0)"
    return edit(unit, site.start, site.arguments[skip][0], opening), edit(unit, site.close, site.end, close)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for site in unit.sites:
        if site.name not in _NAMES:
            continue
        skip = 1 if site.name.endswith("_sync") else 0
        if not skip and not wide(target):
            continue
        if len(site.arguments) != 1 + skip:
            yield unreadable(unit, _ID, site, str(1 + skip))
            continue
        message = (
            f"`{site.name}` asks 64 lanes: one 32-lane warp sees the other's votes"
            if wide(target)
            else f"`{site.name}` takes a 64-bit mask on AMD: the 32-bit one does not compile with ROCm 7"
        )
        yield finding(unit, _ID, (site.start, site.end), message, edits=_edits(unit, site, skip))


RULE = Rule(
    _ID,
    "any and all over both halves of a wave",
    ("W09", "S05"),
    "warp",
    Provenance(
        "ROCm HIP porting guide (warp votes); HIP amd_warp_sync_functions.h",
        "wave64: silent; all: compile error of the mask",
        "masks: from 7.0",
    ),
    _find,
)
