"""Statements and conditions that hold a barrier which asks something of each thread, where not all of them work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence.neutral import RefusedError, given, is_bare
from hipport.rewrites.barrier_divergence.purity import is_pure, sets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node
    from hipport.rewrites.barrier_divergence.work import Place, Work

_PLAIN = re.compile(r"[\w\s\[\].+*/%-]+")  # what may be written out a second time


def statement(work: Work, node: Node, place: Place) -> None:
    """Add the edits of a statement with barriers.

    Raises:
        RefusedError: it is not sure what a thread without work may do in it.
    """
    if is_bare(work, node):
        return
    if node.kind == "declare":
        for variable in node.kids:
            _else_pure(work, node, variable.kids)
    elif node.kind == "call":
        if place.since and not work.of(node.start, "__syncthreads"):
            raise RefusedError(f"line {work.line(node)} may change what other threads still want")
    elif sets(node) and len(node.kids) == 2 and not work.holds(node.kids[0]):
        _else_pure(work, node, node.kids[1:])
        _kept(work, node, place)
    else:
        raise RefusedError(f"the barrier in line {work.line(node)} stands in what is no plain statement")
    given(work, node, place.flag)


def condition(work: Work, node: Node, place: Place) -> None:
    """Add the edits of a condition with a vote of the block, which all threads see alike.

    Raises:
        RefusedError: it is not sure what a thread without work may do in it.
    """
    if any(n.kind == "choose" or n.name in ("&&", "||") or sets(n) for n in node.walk()):
        raise RefusedError(f"the barrier in line {work.line(node)} stands in what is no plain condition")
    _else_pure(work, node, (node,))
    given(work, node, place.flag)


def _kept(work: Work, node: Node, place: Place) -> None:
    """What a thread without work must not lose, or write, by an assignment."""
    to, value = node.kids
    if to.kind == "name" and place.keeps(to.refers):
        return
    if not (_SIMPLE.fullmatch(value.kind) and _PLAIN.fullmatch(work.text(to.start, to.end))):
        raise RefusedError(f"line {work.line(node)} writes in a way that is not understood")
    between = work.text(to.end, value.start).strip()
    work.replace(node.start, value.start, "{ const auto hipport_met = ")
    work.put(work.past(node), f" if ({place.flag}) {work.text(to.start, to.end)} {between} hipport_met; }}")
    if to.kind == "name":
        work.written.add(to.refers)


_SIMPLE = re.compile("call|binary|unary|cast|name")


def _else_pure(work: Work, node: Node, kids: tuple[Node, ...]) -> None:
    """Check that nothing but the barriers reads memory.

    Raises:
        RefusedError: something does.
    """
    for kid in kids:
        if not all(is_pure(one, work.unit.text.data) for one in _beside(work, kid)):
            raise RefusedError(f"line {work.line(node)} does more than wait")


def _beside(work: Work, node: Node) -> Iterator[Node]:
    """The parts of an expression that hold no barrier."""
    if not work.holds(node):
        yield node
    elif not any(node.start == b.start for b in work.met):
        for kid in node.kids:
            yield from _beside(work, kid)
