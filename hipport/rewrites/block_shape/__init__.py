"""# block-shape: blocks that leave lanes of a wave idle

A wave of gfx9 has 64 lanes. A block of 32 threads has one wave of which half does nothing, and takes the place of a
whole one; a block of 96 has two, the second half empty. The kernel is right, and slower than it need be: give the
block a multiple of 64 threads, or let it do the work of two.

Told here, as advice, for launches with a constant block, on targets whose waves have 64 lanes: blocks of fewer than
64 threads that are started in numbers, and blocks that fill less than three quarters of their waves. A block of one
thread, and a grid of one block, are told by their authors to be slow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.forms import advice, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "block-shape"
_USED = 3, 4  # of the lanes: below this share a block is told


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target):
        return
    told: set[tuple[str, int]] = set()
    for launch in unit.launches:
        x, y, z = launch.block
        if x is None or y is None or z is None or launch.grid == (1, 1, 1) or not unit.live(launch.start):
            continue
        threads = x * y * z
        waves = -(-threads // target.warp_size)
        full = threads * _USED[1] >= waves * target.warp_size * _USED[0]
        if threads <= 1 or threads > target.max_threads_per_block or full or (launch.kernel, threads) in told:
            continue
        told.add((launch.kernel, threads))
        yield advice(
            unit,
            _ID,
            launch.config[1],
            f"a block of {threads} threads fills {threads} of {waves * target.warp_size} lanes on {target.name}",
            f"give `{launch.kernel}` a multiple of {target.warp_size} threads a block",
            family="launch",
        )


RULE = Rule(
    _ID,
    "Blocks that leave lanes of a wave idle",
    ("L04",),
    "launch",
    Provenance(
        "HIP C++ language extensions (warpSize); AMD Instinct performance guide (block sizes)", "wave64 targets"
    ),
    _find,
)
