"""Whether all threads of a block come to a place in a kernel, and what it takes to make them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.barriers import Barriers
from hipport.rewrites import barrier_divergence, grid_limit
from hipport.rewrites.forms import edit

if TYPE_CHECKING:
    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit
    from hipport.targets import Target

_GUARD = re.compile(rb"if\s*\(")
ORDERS = re.compile(rb"__threadfence|(?<!\w)(?:grid|cluster)\w*\s*\.\s*sync\s*\(|__nanosleep|__hip_atomic|\bvolatile\b")


class RefusedError(Exception):
    """Why the threads of a block cannot be brought together there."""


@dataclass(frozen=True, slots=True)
class Guard:
    """An early return, `if (condition) return;`: bytes `start` to `end`, its condition without the brackets."""

    start: int
    end: int
    condition: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where a block meets: at byte `at`, once the returns of `guards` are branches that close there."""

    at: int
    guards: tuple[Guard, ...]


def meeting(unit: Unit, function: Function, body: Node, statement: Node) -> Meeting:
    """The place behind a statement of the kernel's own block where all threads of a block meet.

    Raises:
        RefusedError: some may be gone, or what stands between may not move.
    """
    at = end_of(unit, statement)
    guards: list[Guard] = []
    for kid in body.kids:
        if kid.start > statement.start:
            break
        for node in _walk(kid):
            if node.kind == "return":
                guard = _guard(unit, kid) if kid is not statement else None
                if guard is None:
                    raise RefusedError(f"a thread may return in line {_line(unit, node.start)}")
                guards.append(guard)
            if node.kind in ("goto", "asm"):
                raise RefusedError("there is a goto or inline assembly before it")
    code = unit.text.code
    if ORDERS.search(code, statement.start, at):
        raise RefusedError("a fence or a grid barrier stands beside it")
    if not guards:
        return Meeting(at, ())
    rest = code[at : function.end - 1]
    if re.search(rb"\breturn\b", rest) or ORDERS.search(rest):
        raise RefusedError("what follows cannot wait for the block after an early return")
    if any(barrier.start > guards[0].start for barrier in Barriers(unit.text, unit.functions).of(function)):
        raise RefusedError("a barrier follows an early return")
    close = function.end - 1
    return Meeting(close - len(code[at:close]) + len(code[at:close].rstrip()), tuple(guards))


def _line(unit: Unit, offset: int) -> int:
    return unit.text.data.count(b"\n", 0, offset) + 1


def beginning(unit: Unit, at: int) -> int:
    """Where a declaration can stand before the statement at an offset: before its pragmas and the like.

    Raises:
        RefusedError: a conditional of the preprocessor stands between.
    """
    code = unit.text.code
    start = max(code.rfind(mark, 0, at) for mark in (b";", b"{", b"}")) + 1
    between = code[start:at]
    if re.search(rb"#[ \t]*(?!pragma\b)\w", between):
        raise RefusedError("a conditional of the preprocessor stands before it")
    return start + len(between) - len(between.lstrip())


def _walk(node: Node) -> list[Node]:
    found, todo = [], [node]
    while todo:
        one = todo.pop()
        found.append(one)
        todo += [kid for kid in one.kids if kid.kind != "lambda"]
    return found


def end_of(unit: Unit, statement: Node) -> int:
    """Where a statement ends, its `;` included.

    Raises:
        RefusedError: it does not show, as a macro writes it.
    """
    code, end = unit.text.code, statement.end
    if statement.macro and statement.start < 0:
        raise RefusedError("a macro writes the loop around it")
    if code[end - 1 : end] in (b"}", b";"):
        return end
    found = re.compile(rb"\s*;").match(code, end)
    if found is None:
        raise RefusedError("a macro writes the statement around it")
    return found.end()


def _guard(unit: Unit, node: Node) -> Guard | None:
    """The early return that a statement is, and nothing else."""
    code = unit.text.code
    if node.kind != "if" or node.macro or len(node.kids) != 2:
        return None
    opened = _GUARD.match(code, node.start)
    close = unit.text.close(opened.end() - 1) if opened else -1
    if opened is None or close < 0:
        return None
    end = node.end
    if not re.fullmatch(rb"\s*(?:\{\s*)?return\s*;?\s*\}?\s*", code[close + 1 : end]):
        return None
    after = re.compile(rb"\s*;").match(code, end) if not code[:end].endswith((b"}", b";")) else None
    return Guard(node.start, after.end() if after else end, (opened.end(), close))


def branch(unit: Unit, guard: Guard) -> tuple[Edit, Edit]:
    """An early return as a branch that opens; its condition stays as it is."""
    opened = edit(unit, guard.start, guard.condition[0], b"if (!(")
    return opened, edit(unit, guard.condition[1], guard.end, b")) {")


def indent(unit: Unit, at: int) -> str:
    """The white space before a statement, or below its pragma."""
    data = unit.text.data
    start = data.rfind(b"\n", 0, at) + 1
    if data[at : at + 1] == b"#":
        start = at = data.find(b"\n", at) + 1
        at += len(data[at:]) - len(data[at:].lstrip(b" \t"))
    line = data[start:at]
    return line.decode("utf-8", "replace") if not line.strip() else "  "


def taken(unit: Unit, target: Target, function: Function) -> bool:
    """Whether a rewrite for correctness loops over the blocks of a kernel, or turns its returns: first things first."""
    if b"hipport_" in unit.text.code[function.body : function.end]:
        return True
    others = (found for rule in (grid_limit.RULE, barrier_divergence.RULE) for found in rule.find(unit, target))
    return any(function.start <= e.span.start < function.end for found in others for e in found.edits)
