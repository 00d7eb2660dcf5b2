"""# lds-banks: threads of a wave that meet in one LDS bank

A word of LDS lies in the bank of its number modulo the banks: 32 on gfx90a and gfx942, which serve 32 lanes at a
time, 64 on gfx950, which serves all 64. Lanes that want different words of one bank are served one after the other. A
tile `[32][32]` that is read down its columns puts all lanes into one bank; a row of 33 words gives each its own on
gfx942, and leaves two lanes to a bank on gfx950.

Told here, as advice: an array of two dimensions and a constant size, indexed by the threads' numbers, where four or
more lanes meet, for launches whose block is constant. With `--optimize` a row is made one word longer, where that
mends it, every use of the array is `tile[i][j]`, and the block still fits. Not told: arrays through pointers, of
structures, and padding that is too much (a `[32][33]` is fine on both).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from hipport.model import Purpose, Safety, Status
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.lds_banks.coefficients import Coefficients
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "lds-banks"
_TILE = re.compile(r"__shared__ (?:volatile )?(?:const )?([\w ]+?)\s*\[(\d+)\]\[(\d+)\]\Z")
_WORDS = {"float": 1, "int": 1, "unsigned int": 1, "double": 2, "long": 2, "long long": 2, "unsigned long": 2}
_WORD = 4  # bytes
_TOLD = 4  # lanes in one bank below which nothing is said


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("lds_banks") or not target.knows("lds_max_per_block_static_bytes"):
        return
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if body is None or b"__shared__" not in unit.text.code[function.body : function.end]:
            continue
        blocks = _blocks(unit, function)
        for tile in body.walk() if blocks else ():
            if tile.kind == "variable" and tile.start >= 0 and unit.live(tile.start):
                yield from _of_tile(unit, target, body, tile, blocks)


def _blocks(unit: Unit, function: Function) -> set[tuple[int, int]]:
    """The blocks, in x and y, that the kernels are launched with which reach a function; empty where one is open."""
    found: set[tuple[int, int]] = set()
    for closure in unit.closures_of(function):
        for launch in closure.launches:
            x, y, _ = launch.block
            if x is None or y is None or x < 1 or y < 1:
                return set()
            found.add((x, y))
    return found


def _of_tile(unit: Unit, target: Target, body: Node, tile: Node, blocks: set[tuple[int, int]]) -> Iterator[Finding]:
    shape = _TILE.match(tile.type)
    words = _WORDS.get(shape[1]) if shape else None
    if shape is None or words is None:
        return
    rows, columns = int(shape[2]), int(shape[3])
    uses = [n for n in body.walk() if _is_use(n, tile)]
    factors = [Coefficients(body).of_use(use) for use in uses]
    known = [f for f in factors if f is not None]
    ways = max((_ways(target, f, columns, words, b) for f in known for b in blocks), default=1)
    if ways < _TOLD:
        return
    padded = max(_ways(target, f, columns + 1, words, b) for f in known for b in blocks)
    edits: tuple[Edit, ...] = ()
    whole = len(uses) == sum(n.kind == "name" and n.refers == tile.refers for n in body.walk())
    if padded * 2 <= ways and whole and (columns + 1) * rows * words * _WORD <= target.lds_bytes:
        edits = _padding(unit, tile)
    step = (
        f"a row of {columns + 1} makes it {padded}" if padded < ways else "lay it out so that a wave reads along a row"
    )
    yield finding(
        unit,
        _ID,
        (tile.start, tile.end),
        f"{ways} lanes of a wave meet in one bank of `{tile.name}` on {target.name} (of {target.number('lds_banks')})",
        edits=edits,
        safety=Safety.REVIEW,
        status=None if edits else Status.REVIEW,
        purpose=Purpose.PERFORMANCE,
        next_step=step,
        family="lds",
    )


def _is_use(node: Node, tile: Node) -> bool:
    """Whether a node is `tile[i][j]`."""
    inner = node.kids[0] if node.kind == "index" and len(node.kids) == 2 else None
    return (
        inner is not None
        and inner.kind == "index"
        and len(inner.kids) == 2
        and inner.kids[0].kind == "name"
        and inner.kids[0].refers == tile.refers
    )


def _ways(target: Target, factors: tuple[int, int, int, int], columns: int, words: int, block: tuple[int, int]) -> int:
    """The most different words of one bank that the lanes of one phase want."""
    banks = target.number("lds_banks")
    row_x, row_y, column_x, column_y = factors
    lanes = min(banks, target.warp_size, block[0] * block[1])
    wanted = set()
    for lane in range(lanes):
        x, y = lane % block[0], lane // block[0]
        wanted.add(((row_x * x + row_y * y) * columns + column_x * x + column_y * y) * words)
    return max(Counter(word % banks for word in wanted).values())


def _padding(unit: Unit, tile: Node) -> tuple[Edit, ...]:
    """The edit that makes the last dimension one longer, where it is spelled out in the declaration."""
    last = re.search(rb"\[\s*([\w:]+)\s*\]\s*\Z", unit.text.code[tile.start : tile.end])
    if last is None:
        return ()
    at = tile.start + last.end(1)
    return (edit(unit, at, at, b" + 1"),)


RULE = Rule(
    _ID,
    "Threads of a wave that meet in one LDS bank",
    ("M07",),
    "lds",
    Provenance(
        "AMD Instinct MI300 and MI350 ISA guides (LDS); HipKittens' bank measurements",
        "gfx90a, gfx942: 32 banks; gfx950: 64",
    ),
    _find,
)
