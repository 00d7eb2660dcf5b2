"""The edits that keep every thread of a block alive up to its last barrier: a flag says which of them work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings
from hipport.rewrites.barrier_divergence import leaving, meeting, parts, turns
from hipport.rewrites.barrier_divergence.declaring import declaration
from hipport.rewrites.barrier_divergence.neutral import RefusedError
from hipport.rewrites.barrier_divergence.purity import changed, changes_only_locals, is_pure
from hipport.rewrites.barrier_divergence.work import FLAG, LOOPS, Place, Work, bare, inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit
    from hipport.rewrites.barrier_divergence.parts import Part

_AWAY = frozenset({"goto", "asm", "case", "default"})


def rewritten(
    unit: Unit, function: Function, body: Node, met: Iterable[Barrier], apart: Iterable[Part]
) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """The edits of a function some of whose threads miss a barrier by the statements `apart`, and their shims.

    Raises:
        RefusedError: it is not sure that the same would be computed.
    """
    if FLAG.encode() in unit.text.data or not unit.read_whole(function.body):
        raise RefusedError("clang could not read all of it")
    if any(part.kind in ("choice", "goto") for part in apart):
        raise RefusedError("what the threads do apart is no plain branch")
    if any(node.macro and node.kind in ("return", "break", "continue", "if", *LOOPS) for node in body.walk()):
        raise RefusedError("a macro hides a branch")
    meanings = Meanings(body, unit.tree.parameters[function.body], unit.macros)
    every = tuple(parts.parts(unit.text.code, body, meanings, function.end))
    for voted in (False, True):
        work = Work(unit, body, meanings, tuple(met), every, parts.shared(body), voted)
        _sequence(work, body.kids, Place(ends={"return": ()}, top=True))
        if not work.written & work.asked:
            break
    else:
        raise RefusedError("a branch or loop with a barrier asks for what only some threads set")
    for part in apart:
        if not any(node.start <= part.start <= node.end for node in work.handled):
            raise RefusedError("what the threads do apart is not understood")
    return tuple(sorted(work.edits, key=lambda e: e.span.start)), tuple(sorted(work.shims))


def _sequence(work: Work, statements: Sequence[Node], place: Place) -> None:
    """Statements of one block."""
    last = max((i for i, node in enumerate(statements) if work.holds(node)), default=-1)
    for index, node in enumerate(statements):
        if index > last and (place.top or not _outlasts(statements[index:], place)):
            if place.flag:
                _rest(work, statements[index - 1] if index else None, statements[index:], place)
            return
        if work.holds(node):
            if place.top and not place.flag and work.leaves(node, "return"):
                place = place.under(work.flag())
                work.put(work.begin(bare(node)), f"bool {place.flag} = true;\n  ")
            _meeting(work, node, place)
        else:
            place = _statement(work, node, place)


def _outlasts(rest: Sequence[Node], place: Place) -> bool:
    """Whether threads leave by what follows the last barrier of a block, and others go on to wait elsewhere."""
    return any(n.kind in place.ends and n.kind != "continue" for node in rest for n in leaving.leavings(node))


def _rest(work: Work, before: Node | None, rest: Sequence[Node], place: Place) -> None:
    """What follows the last barrier: only the working threads go on."""
    at = work.past(before) if before is not None else work.begin(bare(rest[0]))
    if place.top:
        work.put(at, f"\n  if (!{place.flag}) return;")
        return
    work.put(at, f"\n  if ({place.flag}) {{")
    work.put(work.past(rest[-1]), "\n  }")


def _statement(work: Work, node: Node, place: Place) -> Place:
    """A statement without a barrier; the place after it."""
    leaves = [n.kind for n in leaving.leavings(node)]
    if place.flag and (node.kind in _AWAY or any(n.kind in _AWAY for n in node.walk() if node.kind != "lambda")):
        raise RefusedError(f"line {work.line(node)} jumps, or is assembly")
    if leaves and (place.flag or work.leaves(node, *place.ends)):
        before = place.flag
        place = leaving.lowered(work, node, place)
        if before and leaving.alone(node) is None:
            _only(work, node, before)
        return place
    if not place.flag:
        return place
    if node.kind == "declare":
        declaration(work, node, place.flag)
    elif not changes_only_locals(node, work.unit.text.data) or not all(map(place.keeps, changed(node))):
        _only(work, node, place.flag)
    elif any(n.kind == "name" and n.refers in work.written for n in node.walk()):
        work.written |= {n.refers for n in node.walk() if n.kind == "name"}
    return place


def _only(work: Work, node: Node, flag: str) -> None:
    """A statement for the working threads alone."""
    work.written |= set(changed(node))
    begin = work.begin(bare(node))
    if node.kind == "other" or begin != node.start:
        line = begin if begin != node.start else work.unit.text.code.rfind(b"\n", 0, node.start) + 1
        work.put(line, f"if ({flag}) {{\n")
        work.put(work.past(node), "\n}")
    else:
        work.put(node.start, f"if ({flag}) ")


def _meeting(work: Work, node: Node, place: Place) -> None:
    """A statement that holds a barrier."""
    node = bare(node)
    if node.kind == "block":
        _sequence(work, node.kids, place.inner())
    elif node.kind == "if":
        _branch(work, node, place)
    elif node.kind in LOOPS:
        _loop(work, node, place)
    elif place.flag:
        meeting.statement(work, node, place)


def _branch(work: Work, node: Node, place: Place) -> None:
    uniform = not parts.differs(node.kids[0], work.meanings, work.same)
    if place.flag and uniform and work.holds(node.kids[0]):
        meeting.condition(work, node.kids[0], place)
        for kid in node.kids[1:]:
            _sequence(work, inside(kid), place.inner())
        return
    constant = b"constexpr" in work.unit.text.code[node.start : work.head(node)[0]]
    pure = is_pure(node.kids[0], work.unit.text.data) and not work.voted
    if constant or (uniform and (pure or not place.flag)):
        if place.flag:
            _asks(work, node.kids[0])
        for kid in node.kids[1:]:
            _sequence(work, inside(kid), place.inner())
        return
    _sequence(work, inside(node.kids[1]), turns.branch(work, node, place))


def _loop(work: Work, node: Node, place: Place) -> None:
    condition = parts.condition_of(node)
    begun = {**work.same, **parts.begun(node, work.meanings)}
    body = node.kids[0] if node.kind == "do" else node.kids[-1]
    uniform = condition is None or not parts.differs(condition, work.meanings, begun)
    leaves = _leaves(work, node, strict=bool(place.flag) or not uniform)
    if uniform and not leaves and (not place.flag or (condition is not None and _steady(work, node, place))):
        if place.flag and condition is not None:
            _asks(work, condition)
        _sequence(work, inside(body), turns.kept(work, node, place))
        return
    within = None if leaves or uniform else turns.strided(work, node, place)
    _sequence(work, inside(body), within or turns.voted(work, node, place))


def _leaves(work: Work, node: Node, *, strict: bool) -> bool:
    """Whether some threads leave a loop in its middle while others stay; `strict`: also those that do not work."""
    body = node.kids[0] if node.kind == "do" else node.kids[-1]
    away = [n for n in leaving.leavings(body) if n.kind != "continue"]
    return any(strict or any(p.end == n.end for p in work.apart) for n in away)


def _steady(work: Work, loop: Node, place: Place) -> bool:
    """Whether all threads may run a loop's head: it reads no memory, and counts by what is not wanted elsewhere."""
    heads = list(loop.kids[1:] if loop.kind == "do" else loop.kids[:-1])
    heads += [one.kids[-1] for head in heads if head.kind == "declare" for one in head.kids if one.kids]
    if work.voted or not all(place.keeps(variable) for head in heads for variable in changed(head)):
        return False
    return all(h.kind == "declare" or is_pure(h, work.unit.text.data) for h in heads)


def _asks(work: Work, condition: Node) -> None:
    work.asked |= {n.refers for n in condition.walk() if n.kind == "name"}
