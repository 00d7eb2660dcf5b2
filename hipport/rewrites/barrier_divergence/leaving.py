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
    tails = dict(_tails(node, loop=None))
    if len(tails) != len(found):
        raise RefusedError(f"the {found[0].kind} in line {work.line(found[0])} stands in the middle of a statement")
    if not place.flag:
        place = place.under(work.flag())
        work.put(work.begin(bare(node)), f"bool {place.flag} = true;\n  ")
    for one, loop in tails.items():
        lower = " = ".join(place.ends[one.kind]) + " = false;"
        work.replace(one.start, work.past(one), f"{{ {lower} break; }}" if loop else lower)
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


def _tails(node: Node, *, loop: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """The leavings after which nothing of a statement is run, each with the loop that it must break out of."""
    node = bare(node)
    if node.kind in _KINDS:
        if loop is None or node.kind == "return":
            yield node, loop
    elif node.kind == "block":
        yield from _of_block(node, loop)
    elif node.kind == "if":
        for kid in node.kids[1:]:
            yield from _tails(kid, loop=loop)
    elif node.kind in LOOPS and loop is None:
        yield from _tails(node.kids[0] if node.kind == "do" else node.kids[-1], loop=node)


def _of_block(node: Node, loop: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """In a loop that is broken out of, what stands after the leaving is not run either."""
    for index, kid in enumerate(node.kids):
        if loop is not None or index == len(node.kids) - 1:
            yield from _tails(kid, loop=loop)
