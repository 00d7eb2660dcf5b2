"""The statements of a device function that threads of a block take apart, and the barriers that some of them miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_LOOPS = frozenset({"while", "do", "for"})
_DIFFERS = Means.THREAD | Means.LANE | Means.WARP
_COMPARED = frozenset({"<", ">", "<=", ">=", "!=", "==", "&&", "||"})


@dataclass(frozen=True, slots=True)
class Part:
    """A statement that not every thread runs: a branch (`if`), a loop, or an early `return`."""

    kind: str
    start: int
    end: int
    reach: int  # a barrier from `start` up to here is missed by some thread


def missed(unit: Unit, function: Function, body: Node, met: Iterable[Barrier]) -> list[tuple[Part, Barrier]]:
    """What threads take apart in a function, each with the first barrier that some of them miss by it."""
    meanings = Meanings(body, unit.tree.parameters[function.body], unit.macros)
    found: list[tuple[Part, Barrier]] = []
    said: set[int] = set()
    for part in parts(body, meanings, function.end):
        first = next((b for b in met if part.start <= b.start < part.reach), None)
        if first is not None and first.start not in said and unit.live(part.start):
            said.add(first.start)
            found.append((part, first))
    return found


def parts(body: Node, meanings: Meanings, last: int) -> Iterator[Part]:
    """The statements that threads of a block take apart, in the order of the text."""
    same = shared(body)
    todo: list[tuple[Node, bool, int]] = [(body, False, -1)]
    while todo:
        node, apart, loop = todo.pop()
        if node.kind == "lambda":
            continue
        below = apart
        if node.kind == "return" and apart:
            yield Part("return", node.start if loop < 0 else loop, node.end, last)
            continue
        if node.kind == "if" and node.kids and differs(node.kids[0], meanings, same):
            below = True
            yield Part("branch", node.kids[0].end, node.end, node.end)
        elif node.kind in _LOOPS:
            condition = condition_of(node)
            loop = node.start
            if condition is not None and differs(condition, meanings, {**same, **begun(node, meanings)}):
                yield Part("loop", node.start, node.end, node.end)
        todo += [(kid, below, loop) for kid in reversed(node.kids)]


def differs(node: Node, meanings: Meanings, begun: dict[int, Means]) -> bool:
    """Whether the threads of a block may see an expression differently; `begun` are variables that a loop sets anew."""
    if node.kind == "call":
        return not node.name.startswith("__syncthreads") and bool(meanings.of(node) & _DIFFERS)
    if node.kind == "name":
        return bool(begun.get(node.refers, meanings.of(node)) & _DIFFERS)
    return any(differs(kid, meanings, begun) for kid in node.kids)


def shared(body: Node) -> dict[int, Means]:
    """The single variables in LDS: every thread reads the same of them, whoever wrote it."""
    found = (n for n in body.walk() if n.kind == "variable" and "__shared__" in n.type and "[" not in n.type)
    return {node.refers: Means.NOTHING for node in found}


def begun(loop: Node, meanings: Meanings) -> dict[int, Means]:
    """What the variables mean that a `for` sets before its first turn: what they were used for before is over."""
    first = loop.kids[0] if loop.kind == "for" and loop.kids else None
    if first is None or first.kind != "binary":
        return {}
    return {
        node.kids[0].refers: meanings.of(node.kids[1])
        for node in first.walk()
        if node.kind == "binary" and node.name == "=" and len(node.kids) == 2 and node.kids[0].kind == "name"
    }


def condition_of(loop: Node) -> Node | None:
    """What decides whether a loop turns again."""
    if loop.kind == "while":
        return loop.kids[0] if loop.kids else None
    if loop.kind == "do":
        return loop.kids[-1] if loop.kids else None
    return next((k for k in loop.kids[:-1] if k.kind == "binary" and k.name in _COMPARED), None)
