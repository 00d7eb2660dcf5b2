"""Branches and loops with a barrier that differ between threads: all go through, and flags say who works."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence import parts
from hipport.rewrites.barrier_divergence.declaring import declaration
from hipport.rewrites.barrier_divergence.leaving import leavings
from hipport.rewrites.barrier_divergence.neutral import RefusedError
from hipport.rewrites.barrier_divergence.purity import changed, is_pure, sets
from hipport.rewrites.barrier_divergence.work import Place

if TYPE_CHECKING:
    from hipport.frontend.tree import Node
    from hipport.rewrites.barrier_divergence.work import Work

_THREAD = re.compile(r"(?:[\w.]+\*[\w.]+\+)?threadIdx\.x|threadIdx\.x\+[\w.]+\*[\w.]+")
_CASTS = re.compile(r"static_cast<[^<>]*>|\((?:unsigned|int|int64_t|size_t|longlong|long)\)")


def branch(work: Work, node: Node, place: Place) -> Place:
    """`if (c) { ... barrier ... }` becomes a block with a flag; what may stand in its `else` is done after it."""
    then, other = node.kids[1], node.kids[2] if len(node.kids) == 3 else None
    if other is not None and (then.kind != "block" or other.kind != "block"):
        raise RefusedError(f"the branch of line {work.line(node)} has an `else` without braces")
    if other is not None and (work.holds(other) or any(n.kind in _AWAY for n in other.walk())):
        raise RefusedError(f"the branch of line {work.line(node)} has an `else` that waits or leaves too")
    if any(n.kind == "return" for n in then.walk()):
        raise RefusedError(f"the branch of line {work.line(node)} returns: the others may meet its barriers elsewhere")
    if work.holds(node.kids[0]):
        raise RefusedError(f"the branch of line {work.line(node)} waits in its condition")
    opening, close = work.head(node)
    condition = work.text(opening, close + 1)
    flag = work.flag()
    work.handled.append(node)
    outer = f"{place.flag} && " if place.flag else ""
    braced = then.kind == "block"
    work.replace(
        node.start, then.start + braced, f"{{\n  const bool {flag} = {outer}{condition};{'' if braced else ' '}"
    )
    if not braced:
        work.put(work.past(then), "\n  }")
    if other is not None:
        work.replace(then.end - 1, other.start, f"  if ({outer}!{flag}) ")
        work.put(other.end, "\n  }")
        work.written |= set(changed(other))
    return Place(flag, since=node.start)


_AWAY = frozenset({"return", "break", "continue", "goto", "asm"})


def strided(work: Work, node: Node, place: Place) -> Place | None:
    """A loop over a thread's items turns as often in every thread; None where it is no such loop."""
    if node.kind != "for" or len(node.kids) != 4 or node.kids[3].kind != "block" or not _strides(work, node):
        return None
    _, condition, _, body = node.kids
    flag = work.flag()
    work.handled.append(node)
    name = condition.kids[0].name
    outer = f"{place.flag} && " if place.flag else ""
    work.put(condition.kids[0].end, f" - static_cast<decltype({name})>(threadIdx.x)")
    skips = "" if any(leavings(body)) else "const "
    work.put(body.start + 1, f"\n  {skips}bool {flag} = {outer}{work.text(condition.start, condition.end)};")
    ends = {kind: (*flags, flag) for kind, flags in place.ends.items() if kind == "return"}
    return Place(flag, {**ends, "continue": (flag,)}, since=node.start)


def _strides(work: Work, node: Node) -> bool:
    """Whether a loop counts by a uniform step from the thread's number to a uniform end."""
    begin, condition, step, body = node.kids
    variable = begin.kids[0] if begin.kind == "declare" and len(begin.kids) == 1 else None
    counts = condition.kind == "binary" and condition.name == "<" and condition.kids[0].kind == "name"
    if variable is None or not counts or condition.kids[0].refers != variable.refers:
        return False
    start = re.sub(r"\s", "", work.text(variable.start, variable.end)).partition("=")[2]
    strides = step.kind == "assign" and step.name == "+=" and step.kids[0].refers == variable.refers
    if not strides or not _THREAD.fullmatch(_CASTS.sub("", start).replace("(", "").replace(")", "")):
        return False
    if any(parts.differs(n, work.meanings, work.same) for n in (condition.kids[1], step.kids[1])):
        return False
    if not all(is_pure(n, work.unit.text.data) for n in (condition.kids[1], step.kids[1])):
        return False
    return not any(sets(n) and n.kids[0].refers == variable.refers for n in body.walk())


def voted(work: Work, node: Node, place: Place) -> Place:
    """A loop turns until the block has voted that no thread has a turn left."""
    body = node.kids[0] if node.kind == "do" else node.kids[-1]
    if body.kind != "block" or any(n.kind == "goto" for n in node.walk()):
        raise RefusedError(f"the loop of line {work.line(node)} has no braces, or a jump")
    if any(work.holds(kid) for kid in node.kids if kid is not body):
        raise RefusedError(f"the loop of line {work.line(node)} waits in its head")
    flag = work.flag()
    work.handled.append(node)
    begin = f"{{\n  bool {flag} = {place.flag or 'true'};\n  "
    work.put(work.begin(node), begin)
    if node.kind == "do":
        opening = work.unit.text.code.index(b"(", body.end)
        close = work.unit.text.close(opening)
        work.put(opening + 1, f"__syncthreads_or({flag} = {flag} && (")
        work.put(close, "))")
    else:
        condition = _head(work, node, place, flag)
        again = f"\n  {flag} = {flag} && ({condition});" if condition else ""
        work.put(body.start + 1, f"{again}\n  if (!__syncthreads_or({flag})) break;")
    work.put(work.past(node), "\n  }")
    ends = {kind: (*flags, flag) for kind, flags in place.ends.items() if kind == "return"}
    return _turn(work, node, Place(flag, {**ends, "break": (flag,)}, since=node.start), body)


def _head(work: Work, node: Node, place: Place, flag: str) -> str:
    """The condition of a `while` or `for`, taken out of its head; the step is left to the threads that turn."""
    opening, close = work.head(node)
    if node.kind == "while":
        if node.kids[0].kind == "declare":
            raise RefusedError(f"the loop of line {work.line(node)} declares what it asks")
        work.replace(opening + 1, close, "true")
        return "" if node.kids[0].kind == "boolean" else work.text(opening + 1, close).strip()
    first, second = _clauses(work, opening, close)
    begin = node.kids[0] if len(node.kids) > 1 and node.kids[0].start < first else None
    if place.flag and begin is not None and begin.kind == "declare":
        declaration(work, begin, place.flag)
    elif place.flag and begin is not None:
        work.replace(begin.start, begin.end, f"{place.flag} ? (void)({work.text(begin.start, begin.end)}) : (void)0")
    condition, step = work.text(first + 1, second).strip(), work.text(second + 1, close).strip()
    if second > first + 1:
        work.replace(first + 1, second, "")
    if step:
        work.replace(second + 1, close, f" {flag} ? (void)({step}) : (void)0")
    return condition


def _clauses(work: Work, opening: int, close: int) -> tuple[int, int]:
    """The two semicolons of a `for`."""
    code, depth, found = work.unit.text.code, 0, []
    for at in range(opening + 1, close):
        one = code[at : at + 1]
        depth += (one in (b"(", b"[", b"{")) - (one in (b")", b"]", b"}"))
        if one == b";" and depth == 0:
            found.append(at)
    if len(found) != 2:
        raise RefusedError("a loop goes over a range")
    return found[0], found[1]


def kept(work: Work, node: Node, place: Place) -> Place:
    """A loop that turns as often in all threads keeps its head."""
    body = node.kids[0] if node.kind == "do" else node.kids[-1]
    ends = {kind: flags for kind, flags in place.ends.items() if kind == "return"}
    return _turn(work, node, Place(place.flag, ends, since=place.since), body)


def _turn(work: Work, node: Node, place: Place, body: Node) -> Place:
    """The place within a turn; where some threads skip the rest of it, they get a flag for the turn."""
    skips = any(n.kind == "continue" for n in leavings(body))
    if not skips or not (place.flag or work.leaves(node, "continue")):
        return place
    if body.kind != "block":
        raise RefusedError(f"the loop of line {work.line(node)} has no braces")
    if not place.flag and not any(work.holds(kid) and work.leaves(kid, "continue") for kid in body.kids):
        return Place(ends={**place.ends, "continue": ()}, since=body.start)  # the first that skips makes the flag
    flag = work.flag()
    work.put(body.start + 1, f"\n  bool {flag} = {place.flag or 'true'};")
    return Place(flag, {**place.under(flag).ends, "continue": (flag,)}, since=body.start)
