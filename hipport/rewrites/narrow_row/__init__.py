"""# narrow-row: a row narrower than the wave that takes it

Where a warp or a wave takes one row, and the row has fewer columns than it has lanes, the other lanes do nothing: half
of a warp at 16 columns, three quarters of a wave of 64 lanes. Let one wave take several rows, and launch as many fewer.
FBGEMM does so for the rows of group_index_select (#5233).

Told for kernels in which all that a thread does stands behind a test of its lane against a constant: `for (c = lane;
c < 16; c += 32)`, `if (threadIdx.x < kColumns)`, `if (lane >= D) return;`. The lane is `threadIdx.x`, its rest by 32,
or a variable that holds it; `D` a constant, or a template's parameter to which all launches give one value. Such loops
of a lane are told in other kernels and functions too, without an edit.

Done with `--optimize`, where all launches of the kernel are in its file, plain ones, with one constant block: a block
of whole waves takes the threads with work of several. `hipport_block` and `hipport_x` are the numbers that they had,
the kernel gets the number of former blocks as its first argument, and the last block's other threads leave. Each thread
that had work does the same work; so it is refused, with the reason, where threads meet (a barrier, LDS, a shuffle, an
atomic, which another rewrite may sum over the block), where a called function may ask for the thread's number, and
where something else may launch the kernel.

What it saves, as executed on isa:gfx950 (`hipport run --profile`; tests/test_row_packing.py): 1,000 rows of 12 columns
take 1,000 waves and 30,000 instructions with a block of 32 threads for each, packed 189 waves and 4,897 instructions;
with a warp for each in blocks of 256, 500 waves and 20,000 instructions, packed 189 waves and 8,469 instructions.

Reductions within a row need their width changed too: such kernels are told only. Blocks that are narrower than a wave
although all their threads work are told, and packed likewise, by `block-shape`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Purpose, Safety
from hipport.rewrites.forms import LOGICAL_WARP, advice, finding
from hipport.rewrites.narrow_row import packing
from hipport.rewrites.narrow_row.lanes import Lanes
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.rewrites.narrow_row.lanes import Columns
    from hipport.targets import Target

_ID = "narrow-row"
_WIDTHS = (32, 64)  # steps that mean a warp or a wave
WORTH = 1.5  # waves before for each after, below which nothing is done
_ROW = re.compile(
    rb"for\s*\(\s*(?:const\s+)?[\w:]+(?:\s+[\w:]+)*\s+(?P<i>\w+)\s*=\s*"
    rb"(?:lane\w*|lid|threadIdx\.x\s*(?:&\s*31|%\s*(?:32|warpSize|\w*WARP\w*)))\s*;"
    rb"\s*(?P=i)\s*<\s*(?P<bound>[\w/* ]+?)\s*;\s*(?P=i)\s*\+=\s*(?P<step>\w+)\s*\)",
    re.IGNORECASE,
)


def narrow(unit: Unit, kernel: Function) -> Columns | None:
    """The columns of a kernel whose other threads do nothing; None where there are none, or too many launches."""
    block, body = packing.launched(unit, kernel), unit.tree.bodies.get(kernel.body)
    if block is None or body is None:
        return None
    parameters = unit.tree.parameters[kernel.body]
    found = Lanes(unit, body, parameters, block, packing.bound(unit, kernel)).columns()
    return found if found is not None and found.number > 1 and unit.live(found.at[0]) else None


def _packed(unit: Unit, target: Target, kernel: Function, found: Columns) -> Iterator[Finding]:
    """The finding of a kernel with idle threads."""
    block = packing.launched(unit, kernel)
    if block is None:
        return
    into = packing.layout(found.number, block, by_warp=found.by_warp)
    times = packing.gain(into, block, target.warp_size)
    if times < WORTH:
        return
    lanes, what = (LOGICAL_WARP, "a warp") if found.by_warp else (block[0], "a row of a block")
    message = f"`{kernel.name}`: {found.number} of the {lanes} threads of {what} have a column, the others do nothing"
    step = f"packed, {times:.3g} waves become one"
    edits: tuple[Edit, ...] = ()
    try:
        edits = packing.edits(unit, kernel, into)
    except packing.RefusedError as refused:
        step += f" (not done: {refused})"
    if not edits:
        yield advice(unit, _ID, found.at, message, step, family="shape")
        return
    yield finding(
        unit,
        _ID,
        found.at,
        message,
        edits=edits,
        safety=Safety.REVIEW,
        purpose=Purpose.PERFORMANCE,
        next_step=step,
        family="shape",
    )


def _loops(unit: Unit, target: Target, function: Function) -> Iterator[Finding]:
    """Loops of a lane over fewer columns than it has lanes, as the text shows them."""
    for match in _ROW.finditer(unit.text.code, function.body, function.end):
        columns = unit.macros.value(match["bound"].decode())
        lanes = unit.macros.value(match["step"].decode()) or target.warp_size
        if columns is None or not 0 < columns < LOGICAL_WARP or lanes not in _WIDTHS or not unit.live(match.start()):
            continue
        rows = target.warp_size // columns
        yield advice(
            unit,
            _ID,
            (match.start("bound"), match.end("bound")),
            f"a row of {columns} columns leaves {lanes - columns} of {lanes} lanes without one",
            f"let one wave take {rows} rows: lane / {columns} is the row, lane % {columns} the column",
            family="shape",
        )


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for function in unit.functions:
        found = narrow(unit, function) if function.kernel else None
        if found is not None:
            yield from _packed(unit, target, function, found)
        else:
            yield from _loops(unit, target, function)


RULE = Rule(
    _ID,
    "A row narrower than the wave that takes it",
    ("R2", "M9"),
    "shape",
    Provenance(
        "FBGEMM #5080, #5233 (be1b514b4, b34ced630); HIP documentation (warp size)",
        "all; wave64 most",
    ),
    _find,
)
