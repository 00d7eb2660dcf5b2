"""# tile-width: a transpose by tiles of a warp's width

The usual transpose goes through a tile of 32 by 32 words in LDS with blocks of 32 threads in x: a warp reads a row of
it and writes a column. On a wave of 64 lanes each access takes two rows of 32, so that the padding which keeps a column
out of one bank (`[32][33]`) no longer does on gfx950, with its 64 banks: a first and a last lane of two columns meet.
With a tile and a block of 64 in x (`[64][65]`, 64 by 4 threads) a wave takes a row, as a warp did; each thread moves
four times as many elements, and a quarter of the blocks do the work. It takes 16,640 bytes of LDS for 4,224.

Told, as advice, for kernels with one constant block of 32 threads in x and at least two rows, that index a `__shared__`
array `[32][33]` of words both along its rows and down its columns by `threadIdx.x`; on targets whose waves have 64
lanes. A product of matrices that only reads its tiles along a row gains nothing by a wider one. Without the padding
(`[32][32]`) `lds-banks` tells it.

What it saves, as executed (`hipport run --profile`; tests/unit/test_tile_width.py), 128 by 128 floats transposed:

| tile | block | waves | instructions | bank conflicts, gfx942 | gfx950 |
|---|---|---|---|---|---|
| `[32][32]` | 32 by 8 | 64 | 3,776 | 15,872 | 3,840 |
| `[32][33]` | 32 by 8 | 64 | 4,032 | 0 | 512 |
| `[64][65]` | 64 by 4 | 16 | 3,120 | 0 | 0 |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import LOGICAL_WARP, advice, wide
from hipport.rewrites.lds_banks.coefficients import Coefficients
from hipport.rewrites.narrow_row import packing
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "tile-width"
_TILE = re.compile(r"__shared__ (?:volatile )?(?:float|int|unsigned int) ?\[32\]\[33\]\Z")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target):
        return
    for kernel in unit.functions:
        body = unit.tree.bodies.get(kernel.body)
        if not kernel.kernel or body is None or b"__shared__" not in unit.text.code[kernel.body : kernel.end]:
            continue
        block = packing.launched(unit, kernel)
        if block is None or block[0] != LOGICAL_WARP or block[1] < target.warp_size // LOGICAL_WARP:
            continue
        for tile in body.walk():
            if tile.kind == "variable" and tile.start >= 0 and unit.live(tile.start) and _turned(body, tile):
                width = target.warp_size
                yield advice(
                    unit,
                    _ID,
                    (tile.start, tile.end),
                    f"`{tile.name}` is as wide as a warp: a wave of `{kernel.name}` takes two rows of it at once",
                    f"a tile of [{width}][{width + 1}] and blocks of {width} by {max(block[0] * block[1] // width, 1)}"
                    " are a wave wide, on a quarter of the grid",
                    family="shape",
                )


def _turned(body: Node, tile: Node) -> bool:
    """Whether a tile of 32 words a row is used along its rows and along its columns by neighbouring threads."""
    if not _TILE.match(tile.type):
        return False
    factors = Coefficients(body)
    uses = [node for node in body.walk() if _is_use(node, tile)]
    found = {factors.of_use(use) for use in uses}
    along = any(f is not None and f[0] == 0 and f[2] == 1 for f in found)
    across = any(f is not None and f[0] == 1 and f[2] == 0 for f in found)
    return along and across


def _is_use(node: Node, tile: Node) -> bool:
    """Whether a node is `tile[i][j]`."""
    inner = node.kids[0] if node.kind == "index" and len(node.kids) == 2 else None
    return inner is not None and inner.kind == "index" and len(inner.kids) == 2 and inner.kids[0].refers == tile.refers


RULE = Rule(
    _ID,
    "A transpose by tiles of a warp's width",
    ("M07", "W19"),
    "shape",
    Provenance(
        "HIP C++ language extensions (warpSize); AMD CDNA4 ISA guide (LDS banks); FBGEMM sparse_reorder_batched_ad.cu"
        " (blocks of its own for ROCm)",
        "wave64 targets; gfx950 most",
    ),
    _find,
)
