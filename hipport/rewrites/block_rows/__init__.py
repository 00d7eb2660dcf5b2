"""# block-rows: blocks whose rows are narrower than a segment of memory

A block of 8 by 32 threads that reads a matrix row by row touches, with each wave of 64 lanes, eight rows of 32 bytes.
NVIDIA's memory is read in sectors of 32 bytes, so that such a shape costs nothing there. AMD's caches take a wave's
access apart by lines, of 64 bytes on MI200 and 128 on MI300: twice or four times as many as the data fill, and the
block beside it asks for them again. Make a row of the block as wide as a wave, and the block as many rows lower.

Told, as advice, for kernels with one constant block of two dimensions and at least a wave of threads, whose accesses to
memory go on by one element with `threadIdx.x` and by a row with `threadIdx.y`, where a row of the block is narrower
than 64 bytes; on targets whose waves have 64 lanes. A tile of LDS that is as wide as the block changes with it: one
constant of 8 or 16 is often the tile's, the block's and the grid's. `lds-banks` tells what a new width costs there.

What it saves, as executed on isa:gfx950 (`hipport run --profile`; tests/unit/test_block_rows.py), 64 by 64 floats
doubled: a block of 8 by 32 takes 1024 segments of 64 bytes, one of 64 by 4 takes 512, with as many waves and
instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.sizes import size_of
from hipport.rewrites.block_rows.strides import OPEN, Strides
from hipport.rewrites.forms import advice, wide
from hipport.rewrites.narrow_row import packing
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "block-rows"
_SEGMENT = 64  # bytes of the shortest line of those caches (MI200's vector L1); what `--profile` counts


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target):
        return
    for kernel in unit.functions:
        block = packing.launched(unit, kernel) if kernel.kernel else None
        body = unit.tree.bodies.get(kernel.body)
        if block is None or body is None or block[1] < 2 or block[0] * block[1] < target.warp_size:
            continue
        found = _narrowest(unit, kernel, body, block[0])
        if found is None:
            continue
        (place, size), (x, y) = found, block
        rows = min(target.warp_size // x, y)
        wider = _SEGMENT // size
        yield advice(
            unit,
            _ID,
            (place.start, place.end),
            f"a wave of `{kernel.name}` takes {rows} rows of {x * size} bytes, each of a line of {_SEGMENT} or more",
            f"blocks of {x} by {y} are better {_shape(x * y, target.warp_size, wider)}, with as many threads",
            family="shape",
        )


def _shape(threads: int, wave: int, wider: int) -> str:
    """The widest block of so many threads with rows of a wave, or of a segment."""
    x = next((x for x in (wave, wider) if threads % x == 0), wider)
    return f"{x} by {-(-threads // x)}"


def _narrowest(unit: Unit, kernel: Function, body: Node, x: int) -> tuple[Node, int] | None:
    """The first access by rows that are too narrow, and the bytes of an element; None where others are wider."""
    strides = Strides(body)
    types = pointees.declared(unit.tree.parameters[kernel.body], body)
    found: list[tuple[Node, int]] = []
    for node in body.walk():
        if node.kind != "index" or len(node.kids) != 2 or node.start < 0 or node.macro or not unit.live(node.start):
            continue
        shown = types.get(pointees.source(node).refers, "")
        factors = strides.of(node.kids[1])
        size = size_of(pointees.pointee(node.kids[0], types)) if "*" in shown and node.kids[0].kind == "name" else None
        if size is None or factors is None or factors[0] != 1 or (factors[1] != OPEN and factors[1] <= x):
            continue
        if x * size >= _SEGMENT:
            return None
        found.append((node, size))
    return found[0] if found else None


RULE = Rule(
    _ID,
    "Blocks whose rows are narrower than a segment of memory",
    ("L04", "M07"),
    "shape",
    Provenance(
        "FBGEMM sparse_reorder_batched_ad.cu, input_combine.cu (blocks of their own for ROCm); ROCm Compute Profiler"
        " documentation (vector L1 and L2 cache); HIP performance guidelines (coalesced access)",
        "wave64 targets",
    ),
    _find,
)
