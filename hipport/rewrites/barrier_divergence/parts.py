"""The statements of a device function that threads of a block take apart, and the barriers that some of them miss."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_LOOPS = frozenset({"while", "do", "for"})
_JUMPS = frozenset({"return", "break", "continue", "goto"})
_CHOICES = frozenset({"if", "switch", "choose"})
_DIFFERS = Means.THREAD | Means.LANE | Means.WARP
_COMPARED = frozenset({"<", ">", "<=", ">=", "!=", "==", "&&", "||"})


@dataclass(frozen=True, slots=True)
class Part:
    """What not every thread of a block does.

    `kind` is branch (`if`), choice (`switch`, `?:`, `&&`, `||`), loop, return, break, continue or goto. Some thread
    misses a barrier between `start` and `reach`; `end` is where the statement itself ends.
    """

    kind: str
    start: int
    end: int
    reach: int
    never: tuple[tuple[int, int], ...] = ()  # ranges that the same thread could not have reached: other branches

    def misses(self, at: int) -> bool:
        """Whether some thread misses a barrier at an offset by it."""
        return self.start <= at < self.reach and not any(start <= at < end for start, end in self.never)


def missed(unit: Unit, function: Function, body: Node, met: Iterable[Barrier]) -> list[tuple[Part, Barrier]]:
    """What threads take apart in a function, each with the first barrier that some of them miss by it."""
    meanings = Meanings(body, unit.tree.parameters[function.body], unit.macros)
    found: list[tuple[Part, Barrier]] = []
    said: set[int] = set()
    for part in parts(unit.text.code, body, meanings, function.end):
        first = next((b for b in met if part.misses(b.start)), None)
        if first is not None and first.start not in said and unit.live(part.start):
            said.add(first.start)
            found.append((part, first))
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """Whether only some threads get to a statement: of the function, of a turn of its loop, of that loop's threads."""

    apart: bool = False
    turn: bool = False
    leave: bool = False
    loop: Node | None = None
    outer: int = -1  # where the outermost loop starts
    switch: bool = False  # whether `break` leaves a switch
    never: tuple[tuple[int, int], ...] = ()


def parts(code: bytes, body: Node, meanings: Meanings, last: int) -> Iterator[Part]:
    """What threads of a block take apart, in the order of the text."""
    same = shared(body)
    todo: list[tuple[Node, _Around]] = [(body, _Around())]
    while todo:
        node, around = todo.pop()
        if node.kind == "lambda":
            continue
        below = around
        if node.kind in _JUMPS:
            yield from _jump(code, node, around, (body.start, last))
            continue
        if node.kind in _LOOPS:
            condition = condition_of(node)
            apart = condition is not None and differs(condition, meanings, {**same, **begun(node, meanings)})
            outer = node.start if around.outer < 0 else around.outer
            apart = apart and not _whole(code, node, body)
            below = _Around(around.apart or apart, apart, apart, node, outer, never=around.never)
            if apart:
                yield Part("loop", node.start, node.end, node.end)
        elif node.kind in _CHOICES or (node.kind == "binary" and node.name in ("&&", "||")):
            if node.kids and differs(node.kids[0], meanings, same):
                below = replace(around, apart=True, turn=True, leave=True)
                yield Part("branch" if node.kind == "if" else "choice", node.kids[0].end, node.end, node.end)
            if node.kind == "switch":
                below = replace(below, switch=True)
        if node.kind == "if" and len(node.kids) == 3:
            other = (node.kids[2].start, node.kids[2].end)
            then = replace(below, never=(*below.never, other))
            todo += [(node.kids[2], below), (node.kids[1], then), (node.kids[0], below)]
            continue
        todo += [(kid, below) for kid in reversed(node.kids)]


def _whole(code: bytes, loop: Node, body: Node) -> bool:
    """Whether a loop's end was rounded up to a multiple of its step: all threads turn as often."""
    if loop.kind != "for" or len(loop.kids) != 4 or loop.kids[2].kind != "assign" or loop.kids[2].name != "+=":
        return False
    condition = loop.kids[1]
    if condition.kind != "binary" or condition.name != "<":
        return False
    end, step = condition.kids[1], _text(code, loop.kids[2].kids[1])
    if end.kind == "name":
        made = [n.kids[-1] for n in body.walk() if n.kind == "variable" and n.refers == end.refers and n.kids]
        end = made[0] if len(made) == 1 else end
    if end.kind != "binary" or end.name != "*":
        return False
    return any(_text(code, a) == step and b.kind == "binary" and b.name == "/" for a, b in (end.kids, end.kids[::-1]))


def _text(code: bytes, node: Node) -> bytes:
    return re.sub(rb"\s", b"", code[node.start : node.end])


def _jump(code: bytes, node: Node, around: _Around, within: tuple[int, int]) -> Iterator[Part]:
    """What some threads alone leave, or skip, in a body between two offsets."""
    if node.kind == "return" and around.apart:
        yield Part("return", node.start if around.outer < 0 else around.outer, node.end, within[1], around.never)
    elif node.kind == "continue" and around.turn and around.loop:
        yield Part("continue", node.start, node.end, around.loop.end, around.never)
    elif node.kind == "break" and around.leave and around.loop and not around.switch:
        yield Part("break", around.loop.start, node.end, around.loop.end)
    elif node.kind == "goto" and around.apart:
        name = code[node.start : node.end].removeprefix(b"goto").strip()
        label = re.compile(rb"[;{}]\s*" + re.escape(name) + rb"\s*:(?!:)").search(code, *within)
        if name and label:
            yield Part("goto", min(node.start, label.end()), node.end, max(node.start, label.end()))


def differs(node: Node, meanings: Meanings, begun: dict[int, Means]) -> bool:
    """Whether the threads of a block may see an expression differently; `begun` are variables that a loop sets anew."""
    if node.kind == "call" and node.kids and node.kids[0].refers in begun and node.kids[0].kind == "name":
        return any(differs(kid, meanings, begun) for kid in node.kids[1:])  # a lambda's own business
    if node.kind == "call":
        return not node.name.startswith("__syncthreads") and bool(meanings.of(node) & _DIFFERS)
    if node.kind == "name":
        return bool(begun.get(node.refers, meanings.of(node)) & _DIFFERS)
    if node.kind == "binary" and node.name == "*" and _rounds(node):
        return False
    return any(differs(kid, meanings, begun) for kid in node.kids)


def _rounds(node: Node) -> bool:
    """`i / block * block`: where i strides by blocks from the thread's number, all threads see the same."""
    quotient, times = node.kids
    if quotient.kind != "binary" or quotient.name != "/" or quotient.kids[1].kind != times.kind:
        return False
    divisor = quotient.kids[1]
    names = [n.name for n in divisor.walk() if n.kind in ("name", "member")]
    same = names == [n.name for n in times.walk() if n.kind in ("name", "member")]
    return (
        same and divisor.kind in ("name", "member") and not re.search(r"warp|wave|lane", " ".join(names), re.IGNORECASE)
    )


def shared(body: Node) -> dict[int, Means]:
    """What every thread sees alike: the single variables in LDS, whoever wrote them, and the lambdas."""
    found = (
        n
        for n in body.walk()
        if n.kind == "variable"
        and (("__shared__" in n.type and "[" not in n.type) or any(kid.kind == "lambda" for kid in n.kids))
    )
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
