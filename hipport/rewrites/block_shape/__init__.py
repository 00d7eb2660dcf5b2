"""# block-shape: blocks that leave lanes of a wave idle

A wave of gfx9 has 64 lanes. A block of 32 threads has one wave of which half does nothing, and takes the place of a
whole one; a block of 96 has two, the second half empty. The kernel is right, and slower than it need be: give the
block a multiple of 64 threads, or let it do the work of two.

Told here, as advice, for launches with a constant block, on targets whose waves have 64 lanes: blocks of fewer than
64 threads that are started in numbers, and blocks that fill less than three quarters of their waves. A block of one
thread, and a grid of one block, are told by their authors to be slow.

Done with `--optimize`, where the threads of the kernel do not meet and all its launches are in its file: several blocks
are put into one of whole waves, each thread with the numbers that it had (as `narrow-row` does, whose page has the
conditions).

What it saves, as executed on isa:gfx950 (`hipport run --profile`; tests/test_row_packing.py): 375 blocks of 32 threads
take 375 waves and 13,125 instructions, packed 188 waves and 6,392 instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Purpose, Safety
from hipport.rewrites import narrow_row
from hipport.rewrites.forms import advice, finding, wide
from hipport.rewrites.narrow_row import packing
from hipport.rewrites.narrow_row.settled import settled
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
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
        if not settled(unit, launch, launch.config[1]):
            continue  # a parameter with the name of a constant
        told.add((launch.kernel, threads))
        kernel = next((f for f in unit.functions if f.kernel and f.name == launch.kernel), None)
        if kernel is not None and narrow_row.narrow(unit, kernel):
            continue  # `narrow-row` tells it, with the threads that do nothing
        edits, step = _packed(unit, target, launch)
        said = f"a block of {threads} threads fills {threads} of {waves * target.warp_size} lanes on {target.name}"
        if not edits:
            yield advice(unit, _ID, launch.config[1], said, step, family="launch")
            continue
        yield finding(
            unit,
            _ID,
            launch.config[1],
            said,
            edits=edits,
            safety=Safety.REVIEW,
            purpose=Purpose.PERFORMANCE,
            next_step=step,
            family="launch",
        )


def _packed(unit: Unit, target: Target, launch: Launch) -> tuple[tuple[Edit, ...], str]:
    """The edits that put several blocks into one, if they can be made, and what to do."""
    step = f"give `{launch.kernel}` a multiple of {target.warp_size} threads a block"
    kernel = next((f for f in unit.functions if f.kernel and f.name == launch.kernel), None)
    block = packing.launched(unit, kernel) if kernel is not None else None
    if kernel is None or block is None:
        return (), step
    into = packing.layout(block[0], block, by_warp=False)
    times = packing.gain(into, block, target.warp_size)
    if times < narrow_row.WORTH:
        return (), step
    try:
        return packing.edits(unit, kernel, into), f"packed, {times:.3g} waves become one"
    except packing.RefusedError as refused:
        return (), f"{step} (not packed: {refused})"


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
