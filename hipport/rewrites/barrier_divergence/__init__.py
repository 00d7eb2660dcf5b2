"""# barrier-divergence: a barrier that some threads do not reach

Every thread of a block must reach a barrier: `__syncthreads()`, `block.sync()`, the primitives of CUB that work on a
block (`BlockReduce`, `BlockScan`, ...: barriers stand inside), and functions that hold one of these. CUDA leaves the
rest undefined and often lets it pass. On AMD the barrier counts waves, not threads: a wave that ended is not awaited,
a wave that goes around the barrier is, or meets the next one in its place; lanes that returned before a block reduction
take no part in its shuffles and leave what they should have given undefined.

Told here: a `return` under a condition that differs between the threads of a block, with a barrier after it; a barrier
in a branch, or in a loop whose number of turns differs between threads. Let all threads live until the last barrier:
keep a flag (`const bool active = i < n;`) with the neutral element for the inactive ones, turn `return` in a loop into
`continue` only where no barrier follows in it, and give the loop the same number of turns in every thread.

A barrier in a branch that only some 32-lane warps take is told by `half-wave-wait`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.barriers import Barriers
from hipport.model import Safety, Status
from hipport.rewrites.barrier_divergence import parts
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.rewrites.barrier_divergence.parts import Part
    from hipport.targets import Target

_ID = "barrier-divergence"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not any(unit.functions):
        return
    barriers = Barriers(unit.text, unit.functions)
    told = {wait.start for wait in unit.waits}
    for function in unit.functions:
        met = [b for b in barriers.of(function) if unit.live(b.start)]
        body = unit.tree.bodies.get(function.body) if met else None
        if body is not None:
            left = [b for b in met if b.start not in told]
            yield from (_told(unit, part, barrier) for part, barrier in parts.missed(unit, function, body, left))


_SAID = {
    "return": (
        "threads that return in line {line} do not reach {what} in line {there}",
        "keep them with a flag and the neutral element until the last barrier",
    ),
    "branch": (
        "the branch of line {line} differs between the threads of a block and holds {what} in line {there}",
        "move the barrier out of the branch",
    ),
    "loop": (
        "the loop of line {line} turns a different number of times in each thread and holds {what} in line {there}",
        "give every thread the same number of turns and let a flag decide what each does",
    ),
}


def _told(unit: Unit, part: Part, missed: Barrier) -> Finding:
    message, step = _SAID[part.kind]
    at = part.end - 1 if part.kind == "return" else part.start
    line, there = unit.text.line(at), unit.text.line(missed.start)
    return finding(
        unit,
        _ID,
        (missed.start, missed.end),
        message.format(line=line, what=f"the barrier of `{missed.through}`", there=there),
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step=step,
        family="sync",
    )


RULE = Rule(
    _ID,
    "A barrier that some threads do not reach",
    ("S06", "S10"),
    "sync",
    Provenance(
        "CUDA C++ Programming Guide (synchronization functions); AMD ISA guides (s_barrier counts waves); FBGEMM",
        "all",
    ),
    _find,
)
