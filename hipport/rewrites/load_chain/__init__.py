"""# load-chain: a loop that waits for two loads in each turn

`for (k = begin[r]; k < begin[r + 1]; ++k) sum += value[k] * x[column[k]];` loads an index, waits, loads what it points
to, waits, adds. A GPU hides that latency by other waves; where rows are long and waves few, as in the backward pass of
embeddings, the loop itself is the time. Taken four turns at once (eight where the element has 16 bits), the loads of
all turns go out before the first addition. LLVM does not do so by itself where the number of turns is not constant (for
integer sums over consecutive indices it takes two).

Offered with `--optimize`: `#pragma unroll` before the loop. The additions keep their order, so that sums are equal bit
by bit, floating-point ones too. What that saves, as executed on isa:gfx950 (`hipport run --profile`, blocks of 256):

| case | instructions | waits and the like | 64-byte segments |
|---|---|---|---|
| `bags`: one segment a block, up to 41 indices | 8,022 -> 6,656 | 770 -> 482 | 2,214 -> 2,130 |
| `rows`: one row of up to 40 entries a thread | 6,468 -> 5,826 | 765 -> 718 | 18,627 -> 13,161 |
| `weights`: two sums, weighted, by `while` | 14,306 -> 11,782 | 1,416 -> 1,092 | 4,200 -> 3,888 |
| `pointer`: a pointer that goes on by itself, and `do` | 11,250 -> 9,503 | 1,506 -> 1,008 | 21,642 -> 16,312 |
| `halves`: elements of 16 bits, four a thread | 9,191 -> 7,753 | 808 -> 568 | 3,856 -> 3,856 |

Done only for `for`, `while` and `do` loops in device code that go on by one until a bound that is known at run time,
that add up in local variables what they load at an address from memory, and that store nothing, leave early nowhere,
call nothing but arithmetic, and have in them loops of at most eight turns. Left alone because it saves nothing, as
executed: loops with another stride (`k += 32`; the number of turns is not known when they start), lists (`k = next[k]`,
a turn waits for the one before it), volatile reads, maxima, and bodies behind `continue`.

Short rows gain nothing: FBGEMM's own cascade of eight, four, two and one gained 60 % over a list of tables, and lost
15 % on the worst of them (#5835). Measure before you keep it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.model import Purpose, Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.load_chain.turn import Turn
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "load-chain"
_TURNS, _TURNS_OF_16_BITS = 4, 8  # FBGEMM #5835
_HALF = re.compile(r"half|bfloat16|\bshort\b|\bint16_t|\bchar\b|\bint8_t")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if body is None or not unit.read_whole(function.start) or not unit.live(function.start):
            continue
        types = pointees.declared(unit.tree.parameters[function.body], body)
        for loop in body.walk():
            if loop.kind in ("for", "while", "do") and len(loop.kids) >= 2 and not loop.macro and loop.start >= 0:
                yield from _of_loop(unit, loop, types)


def _of_loop(unit: Unit, loop: Node, types: dict[int, str]) -> Iterator[Finding]:
    turn, code = Turn(loop, types, unit), unit.text.code
    if not turn.plain() or not turn.counted() or not turn.open_ended():
        return
    chained = turn.chained()
    if not chained or not turn.adds():
        return
    data, start = unit.text.data, loop.start
    line = data.rfind(b"\n", 0, start) + 1
    if data[line:start].strip() or not _free(code, line) or not unit.live(start):
        return
    turns = _TURNS_OF_16_BITS if _HALF.search(chained) else _TURNS
    newline = b"\r\n" if b"\r\n" in data[:4096] else b"\n"
    yield finding(
        unit,
        _ID,
        (start, start + len(loop.kind)),
        f"each turn of this loop waits for an index and for what it points to: {turns} turns at once wait once",
        edits=(edit(unit, line, line, data[line:start] + f"#pragma unroll {turns}".encode() + newline),),
        safety=Safety.SAFE,
        purpose=Purpose.PERFORMANCE,
        next_step="the order of the sum stays; measure it where rows are short",
        family="shape",
    )


def _free(code: bytes, line: int) -> bool:
    """Whether a new line may stand before this one: no pragma, macro or branch without braces is in the line above."""
    above = code[:line].rstrip()
    return above.endswith((b";", b"{", b"}")) or re.search(rb"\n[ \t]*#[ \t]*(?!pragma)[^\n]*\Z", above) is not None


RULE = Rule(
    _ID,
    "A loop that waits for two loads in each turn",
    ("R5", "M10"),
    "shape",
    Provenance(
        "FBGEMM #5835 (8ac2022ea, PROCESS_BLOCK in the backward pass of table-batched embeddings)",
        "all; CDNA most, where a wave has little else to do",
    ),
    _find,
)
