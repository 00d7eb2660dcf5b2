"""# barrier-divergence: a barrier that some threads do not reach

Every thread of a block must reach a barrier: `__syncthreads()`, `block.sync()`, the primitives of CUB that work on a
block (`BlockReduce`, `BlockScan`, ...: barriers stand inside), and functions that hold one of these. CUDA leaves the
rest undefined and often lets it pass. On AMD the barrier counts waves, not threads: a wave that ended is not awaited,
a wave that goes around the barrier is, or meets the next one in its place; lanes that returned before a block reduction
take no part in its shuffles and leave what they should have given undefined.

Told here: a `return`, `break`, `continue` or `goto` under a condition that differs between the threads of a block, with
a barrier after it that the others reach; a barrier in a branch, a `switch`, `?:`, `&&`, or in a loop whose number of
turns differs between threads. A lambda, macro or asm statement that holds a barrier counts as one. Functions that clang
could not read are judged by their text, and never rewritten.

What is done: every thread stays alive up to the last barrier, and a flag says which of them work.

- `if (...) return;` becomes `bool hipport_active = !(...)`; leaving at the end of a deeper branch lowers it;
- what follows and touches memory is done by the working threads alone; after the last barrier they leave;
- a branch with a barrier becomes a block with a flag, and its `else`, if it holds none, comes after it;
- a loop that strides from the thread's number turns as often in all threads; any other one that differs, or that some
  leave, turns until `__syncthreads_or` says that no thread has a turn left; `continue` lowers a flag of the turn;
- to `__syncthreads_count/or/and`, sums, maxima and minima (`BlockReduce`, `BlockScan`, `blockReduceMax` and the like),
  bitwise and logical operators the others give what is neutral: an operator is known by its library's name, or by what
  its definition in the file returns. A maximum of floats gets minus infinity (shim `neutral`).

No store, read or atomic is added that was not there before. It is refused, with the reason, where that is not sure:
other operators, sorts, helpers that store and wait, branches with a barrier on both sides or with a `return` in them,
`switch`, `goto`, leavings in the middle of nested loops, macros that hide a branch.

A barrier in a branch that only some 32-lane warps take is told by `half-wave-wait`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.barriers import Barriers
from hipport.model import Safety, Status
from hipport.rewrites.barrier_divergence import active, lexical, neutral, parts
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
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
        left = [b for b in met if b.start not in told]
        body = unit.tree.bodies.get(function.body)
        if body is not None:
            yield from _of_function(unit, function, body, met, left)
        elif left:
            found = lexical.missed(unit, function, left)
            yield from (_told(unit, part, barrier, (), "clang could not read it") for part, barrier in found)


def _of_function(
    unit: Unit, function: Function, body: Node, met: list[Barrier], left: list[Barrier]
) -> Iterator[Finding]:
    found = parts.missed(unit, function, body, left)
    if not found:
        return
    if len(left) < len(met):
        why = "another of its barriers stands in a branch of some warps"
        yield from (_told(unit, part, barrier, (), why) for part, barrier in found)
        return
    try:
        edits, shims = active.rewritten(unit, function, body, met, [part for part, _ in found])
    except neutral.RefusedError as refused:
        yield from (_told(unit, part, barrier, (), str(refused)) for part, barrier in found)
        return
    yield _told(unit, *found[0], edits, shims=shims)  # one finding for the function: its edits stand or fall together


_SAID = {
    "choice": (
        "what line {line} chooses differs between the threads of a block and holds {what} in line {there}",
        "move the barrier out of the choice",
    ),
    "continue": (
        "threads that skip the rest of a turn in line {line} do not reach {what} in line {there}",
        "let a flag decide what each thread does in the turn",
    ),
    "break": (
        "threads that leave the loop in line {line} do not reach {what} in line {there} as often as the others",
        "give every thread the same number of turns and let a flag decide what each does",
    ),
    "goto": (
        "threads that jump in line {line} do not reach {what} in line {there}",
        "let a flag decide what each thread does",
    ),
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


_JUMPS = frozenset({"return", "break", "continue", "goto"})


def _told(
    unit: Unit,
    part: Part,
    missed: Barrier,
    edits: tuple[Edit, ...],
    refused: str = "",
    shims: tuple[str, ...] = (),
) -> Finding:
    message, step = _SAID[part.kind]
    data = unit.text.data
    at = part.end - 1 if part.kind in _JUMPS else part.start
    line, there = (data.count(b"\n", 0, offset) + 1 for offset in (at, missed.start))
    return finding(
        unit,
        _ID,
        (missed.start, missed.end),
        message.format(line=line, what=f"the barrier of `{missed.through}`", there=there),
        edits=edits,
        safety=Safety.REVIEW if edits else Safety.MANUAL,
        next_step="every thread stays up to the last barrier; a flag says which of them work"
        if edits
        else f"{step} (not done: {refused})",
        family="sync",
        shims=shims,
        status=Status.REWRITTEN if edits else None,
    )


RULE = Rule(
    _ID,
    "A barrier that some threads do not reach",
    ("S10",),
    "sync",
    Provenance(
        "CUDA C++ Programming Guide (synchronization functions); AMD ISA guides (s_barrier counts waves); FBGEMM",
        "all",
    ),
    _find,
)
