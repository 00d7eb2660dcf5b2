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

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.barriers import Barriers
from hipport.frontend.meaning import Meanings, Means
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "barrier-divergence"
_LOOPS = frozenset({"while", "do", "for"})
_DIFFERS = Means.THREAD | Means.LANE | Means.WARP
_COMPARED = frozenset({"<", ">", "<=", ">=", "!=", "==", "&&", "||"})


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement that not every thread runs: a branch (`if`), a loop, or an early `return`."""

    kind: str
    start: int
    end: int
    reach: int  # a barrier from `start` up to here is missed by some thread


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
            yield from _of_function(unit, function, body, [b for b in met if b.start not in told])


def _of_function(unit: Unit, function: Function, body: Node, met: list[Barrier]) -> Iterator[Finding]:
    meanings = Meanings(body, unit.tree.parameters[function.body], unit.macros)
    said: set[int] = set()
    for part in _parts(body, meanings, function.end):
        missed = next((b for b in met if part.start <= b.start < part.reach), None)
        if missed is None or missed.start in said or not unit.live(part.start):
            continue
        said.add(missed.start)
        yield _told(unit, part, missed)


def _parts(body: Node, meanings: Meanings, last: int) -> Iterator[_Part]:
    """The statements that threads of a block take apart, in the order of the text."""
    todo: list[tuple[Node, bool, int]] = [(body, False, -1)]
    while todo:
        node, apart, loop = todo.pop()
        if node.kind == "lambda":
            continue
        below = apart
        if node.kind == "return" and apart:
            yield _Part("return", node.start if loop < 0 else loop, node.end, last)
            continue
        if node.kind == "if" and node.kids and _differs(node.kids[0], meanings, {}):
            below = True
            yield _Part("branch", node.kids[0].end, node.end, node.end)
        elif node.kind in _LOOPS:
            condition = _condition(node)
            loop = node.start
            if condition is not None and _differs(condition, meanings, _begun(node, meanings)):
                yield _Part("loop", node.start, node.end, node.end)
        todo += [(kid, below, loop) for kid in reversed(node.kids)]


def _differs(node: Node, meanings: Meanings, begun: dict[int, Means]) -> bool:
    """Whether the threads of a block may see an expression differently; `begun` are variables that a loop sets anew."""
    if node.kind == "call":
        return not node.name.startswith("__syncthreads") and bool(meanings.of(node) & _DIFFERS)
    if node.kind == "name":
        return bool(begun.get(node.refers, meanings.of(node)) & _DIFFERS)
    return any(_differs(kid, meanings, begun) for kid in node.kids)


def _begun(loop: Node, meanings: Meanings) -> dict[int, Means]:
    """What the variables mean that a `for` sets before its first turn: what they were used for before is over."""
    first = loop.kids[0] if loop.kind == "for" and loop.kids else None
    if first is None or first.kind != "binary":
        return {}
    return {
        node.kids[0].refers: meanings.of(node.kids[1])
        for node in first.walk()
        if node.kind == "binary" and node.name == "=" and len(node.kids) == 2 and node.kids[0].kind == "name"
    }


def _condition(loop: Node) -> Node | None:
    if loop.kind == "while":
        return loop.kids[0] if loop.kids else None
    if loop.kind == "do":
        return loop.kids[-1] if loop.kids else None
    return next((k for k in loop.kids[:-1] if k.kind == "binary" and k.name in _COMPARED), None)


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


def _told(unit: Unit, part: _Part, missed: Barrier) -> Finding:
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
