"""# lds-occupancy: a few bytes of LDS that cost a block

LDS is given to a block in granules: 512 bytes on gfx942, 1,280 on gfx950, and so many blocks share a compute unit as
the rounded sizes leave room for. 32 KiB on gfx950 are 33,280 bytes with the granule: 4 blocks in 163,840 bytes, where
32,768 divide it by 5. HIP's occupancy API and the compiler's remark divide without the granule, and say 5.

Told here, as advice, for kernels all of whose arrays have a known size, launched with a constant block: where LDS is
what limits the blocks of a compute unit (not the waves that it holds), and giving up little would let one more in: an
eighth of the kernel's LDS at most, and half the part of it that one block is of the blocks. Registers are not looked
at: `hipport compile` tells what they leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend import lds
from hipport.perfmodel.occupancy import occupancy, rounded_up
from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.closure import Closure
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "lds-occupancy"
_SHARE = 8  # one part of so many of a kernel's LDS is little enough to give up
_WORTH = 2  # and so many times as large a part of its blocks must come of it
_LEAST = 4096  # bytes below which LDS limits nothing on any target


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("lds_max_per_block_dynamic_bytes") or not target.knows("lds_per_cu_bytes"):
        return
    for closure in unit.closures:
        told: set[int] = set()
        for launch in closure.launches:
            x, y, z = launch.block
            if launch.path != unit.path or launch.lds is None or x is None or y is None or z is None:
                continue
            for held in lds.at_launch(unit, closure, launch):
                used = held.size + launch.lds
                if held.whole and used >= _LEAST and used not in told and unit.live(launch.start):
                    told.add(used)
                    yield from _judged(unit, target, closure, (launch.start, used, x * y * z))


def _judged(unit: Unit, target: Target, closure: Closure, at: tuple[int, int, int]) -> Iterator[Finding]:
    start, used, threads = at
    if not 0 < threads <= target.max_threads_per_block or used > target.lds_dynamic_bytes:
        return
    now = occupancy(target, vgprs=1, lds_bytes=used, block_size=threads)
    if now.limit != "lds":
        return
    room = target.lds_per_cu_bytes // (now.blocks + 1) // target.lds_granule * target.lds_granule
    less = used - room
    if not 0 < less <= used // max(_SHARE, _WORTH * now.blocks):
        return
    more = occupancy(target, vgprs=1, lds_bytes=room, block_size=threads).blocks
    taken = rounded_up(used, target.lds_granule)
    yield advice(
        unit,
        _ID,
        (start, start + len(closure.kernel)),
        f"{used:,} bytes of LDS ({taken:,} with the granule) limit `{closure.kernel}` to {now.blocks} blocks of a "
        f"compute unit on {target.name}: {less:,} less let {more} in",
        f"make its tile fit {room:,} bytes",
        family="lds",
    )


RULE = Rule(
    _ID,
    "A few bytes of LDS that cost a block",
    ("M08",),
    "lds",
    Provenance(
        "AMDGPU usage (GRANULATED_LDS_SIZE); AMD Instinct MI350 ISA guide; ROCm/clr's occupancy", "all AMD targets"
    ),
    _find,
)
