"""Statements by which threads leave a function, a loop or a turn of it before a barrier: they lower a flag instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence.neutral import RefusedError
from hipport.rewrites.barrier_divergence.work import LOOPS, bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node
    from hipport.rewrites.barrier_divergence.work import Place, Work

_KINDS = ("return", "break", "continue")


def leavings(node: Node) -> Iterator[Node]:
    """The statements within one that leave what stands around it."""
    todo = [(node, frozenset[str]())]
    while todo:
        one, own = todo.pop()
        if one.kind in _KINDS and one.kind not in own:
            yield one
        if one.kind in LOOPS:
            own |= {"break", "continue"}
        elif one.kind == "switch":
            own |= {"break"}
        if one.kind != "lambda":
            todo += [(kid, own) for kid in one.kids]


def alone(node: Node) -> Node | None:
    """The leaving of `if (...) return;` and its like, with or without braces."""
    if node.kind != "if" or len(node.kids) != 2:
        return None
    then = node.kids[1]
    if then.kind == "block" and len(then.kids) == 1:
        then = then.kids[0]
    return then if then.kind in _KINDS and not then.kids else None


def lowered(work: Work, node: Node, place: Place) -> Place:
    """The edits of a statement without a barrier that some threads leave by, and the place after it."""
    work.handled.append(node)
    leave = alone(node)
    if leave is not None and leave.kind in place.ends:
        return _guard(work, node, leave.kind, place)
    found = list(leavings(node))
    for one in found:
        if one.kind not in place.ends or one.kids:
            raise RefusedError(f"the {one.kind} in line {work.line(one)} is not understood")
    rests: list[tuple[Node, Node]] = []
    tails = dict(_tails(node, None, rests))
    if len(tails) != len(found):
        raise RefusedError(f"the {found[0].kind} in line {work.line(found[0])} stands in the middle of a statement")
    if not place.flag:
        place = place.under(work.flag())
        work.put(work.begin(bare(node)), f"bool {place.flag} = true;\n  ")
    for one, loop in tails.items():
        lower = " = ".join(place.ends[one.kind]) + " = false;"
        work.replace(one.start, work.past(one), f"{{ {lower} break; }}" if loop else lower)
    for after, last in rests:
        work.put(work.past(after), f"\n  if ({place.flag}) {{")
        work.put(work.past(last), "\n  }")
    return place


def _guard(work: Work, node: Node, kind: str, place: Place) -> Place:
    """An early leaving alone becomes the flag, or takes a thread out of it."""
    opening, close = work.head(node)
    condition = work.text(opening, close + 1)
    if place.flag:
        lower = " = ".join(place.ends[kind])
        text = f"if ({place.flag} && {condition}) {lower} = false;"
    else:
        place = place.under(work.flag())
        text = f"bool {place.flag} = !{condition};"
    work.replace(node.start, work.past(node.kids[1]), text)
    return place


def _tails(node: Node, loop: Node | None, rests: list[tuple[Node, Node]]) -> Iterator[tuple[Node, Node | None]]:
    """The leavings that can lower a flag, each with the loop that it must break out of.

    `rests` gets what stands behind them in their blocks: the statement before it, and its last one.
    """
    node = bare(node)
    if node.kind in _KINDS:
        if loop is None or node.kind == "return":
            yield node, loop
    elif node.kind == "block":
        for kid in node.kids:
            if any(leavings(kid)):
                yield from _tails(kid, loop, rests)
                if loop is None and kid is not node.kids[-1] and kid.kind not in _KINDS:
                    rests.append((kid, node.kids[-1]))
    elif node.kind == "if":
        for kid in node.kids[1:]:
            yield from _tails(kid, loop, rests)
    elif node.kind in LOOPS and loop is None:
        yield from _tails(node.kids[0] if node.kind == "do" else node.kids[-1], node, rests)
