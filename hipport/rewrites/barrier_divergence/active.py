"""The edits that keep every thread of a block alive up to its last barrier: a flag says which of them work."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings
from hipport.rewrites.barrier_divergence import parts
from hipport.rewrites.barrier_divergence.neutral import RefusedError, given
from hipport.rewrites.barrier_divergence.purity import changes_only_locals, is_pure, pointed, scalar, sets
from hipport.rewrites.forms import edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.meaning import Means
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit
    from hipport.rewrites.barrier_divergence.parts import Part

_FLAG = "hipport_active"
_LOOPS = frozenset({"for", "while", "do"})
_LEAVES = frozenset({"break", "continue", "goto", "asm", "case", "default"})
_THREAD = re.compile(r"(?:[\w.]+\*[\w.]+\+)?threadIdx\.x|threadIdx\.x\+[\w.]+\*[\w.]+")
_CASTS = re.compile(r"static_cast<[^<>]*>|\((?:unsigned|int|int64_t|size_t|longlong|long)\)")
_PRAGMA = re.compile(rb"#[ \t]*pragma[^\n]*\n\s*\Z")


@dataclass(slots=True)
class _Work:
    """What is known of one function, and the edits so far. `written` are variables that only working threads set."""

    unit: Unit
    meanings: Meanings
    met: tuple[Barrier, ...]
    edits: list[Edit] = field(default_factory=list)
    written: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    same: dict[int, Means] = field(default_factory=dict)
    handled: list[Node] = field(default_factory=list)
    flags: int = 0

    def holds(self, node: Node) -> bool:
        return any(node.start <= b.start < node.end for b in self.met)

    def put(self, at: int, text: str) -> None:
        self.edits.append(edit(self.unit, at, at, text.encode()))

    def flag(self) -> str:
        self.flags += 1
        return _FLAG if self.flags == 1 else f"{_FLAG}{self.flags}"

    def text(self, start: int, end: int) -> str:
        return self.unit.text.data[start:end].decode("utf-8", "replace")

    def past(self, node: Node) -> int:
        """Where a statement ends, its semicolon included."""
        rest = re.compile(rb"\s*;").match(self.unit.text.code, node.end)
        return rest.end() if rest else node.end

    def line(self, node: Node) -> int:
        return self.unit.text.data.count(b"\n", 0, node.start) + 1


def rewritten(
    unit: Unit, function: Function, body: Node, met: Iterable[Barrier], apart: Iterable[Part]
) -> tuple[Edit, ...]:
    """The edits of a function some of whose threads miss a barrier by the statements `apart`.

    Raises:
        RefusedError: it is not sure that the same would be computed.
    """
    if _FLAG.encode() in unit.text.data or not unit.read_whole(function.body):
        raise RefusedError("clang could not read all of it")
    if any(node.macro and node.kind in ("return", "if", *_LOOPS) for node in body.walk()):
        raise RefusedError("a macro hides a branch")
    work = _Work(
        unit, Meanings(body, unit.tree.parameters[function.body], unit.macros), tuple(met), same=parts.shared(body)
    )
    _sequence(work, body.kids, "", top=True)
    if work.written & work.asked:
        raise RefusedError("a loop with a barrier asks for what only some threads set")
    for part in apart:
        if not any(node.start <= part.start <= node.end for node in work.handled):
            raise RefusedError("what the threads do apart is not understood")
    return tuple(sorted(work.edits, key=lambda e: e.span.start))


def _sequence(work: _Work, statements: Sequence[Node], flag: str, *, top: bool = False) -> None:
    """Statements of one block; `flag` says which threads work, empty while all do."""
    last = max((i for i, node in enumerate(statements) if work.holds(node)), default=-1)
    for index, node in enumerate(statements[: last + 1]):
        leaves = _early(node)
        if leaves is not None and parts.differs(node.kids[0], work.meanings, work.same):
            if not top:
                raise RefusedError(f"a return in line {work.line(node)} is deeper than the barrier")
            flag = _guard(work, node, flag)
        elif leaves is not None or not flag:
            _whole(work, node, flag)
        else:
            _statement(work, node, flag)
        if index == last and flag and (rest := statements[last + 1 :]):
            _rest(work, node, rest, flag, top=top)


def _rest(work: _Work, node: Node, rest: Sequence[Node], flag: str, *, top: bool) -> None:
    """What follows the last barrier: only the working threads go on."""
    if top:
        work.put(work.past(node), f"\n  if (!{flag}) return;")
        return
    work.put(work.past(node), f"\n  if ({flag}) {{")
    work.put(work.past(rest[-1]), "\n  }")


def _early(node: Node) -> Node | None:
    """The `return;` of `if (...) return;`, with or without braces."""
    if node.kind != "if" or len(node.kids) != 2:
        return None
    then = node.kids[1]
    if then.kind == "block" and len(then.kids) == 1:
        then = then.kids[0]
    return then if then.kind == "return" and not then.kids else None


def _guard(work: _Work, node: Node, flag: str) -> str:
    """An early return becomes the flag, or takes a thread out of it."""
    work.handled.append(node)
    code = work.unit.text.code
    opening = code.index(b"(", node.start)
    close = work.unit.text.close(opening)
    condition = work.text(opening, close + 1)
    end = work.past(node)
    if flag:
        text = f"if ({flag} && {condition}) {flag} = false;"
    else:
        flag = work.flag()
        text = f"bool {flag} = !{condition};"
    work.edits.append(edit(work.unit, node.start, end, text.encode()))
    return flag


def _whole(work: _Work, node: Node, flag: str) -> None:
    """A statement that all threads run so far; barriers in a branch or a loop that differs are dealt with."""
    if not work.holds(node) or flag:
        return
    node = _bare(node)
    if node.kind == "if" and parts.differs(node.kids[0], work.meanings, work.same):
        _branch(work, node, "")
    elif node.kind in _LOOPS:
        condition = parts.condition_of(node)
        if condition is not None and parts.differs(
            condition, work.meanings, {**work.same, **parts.begun(node, work.meanings)}
        ):
            _loop(work, node)
        else:
            _sequence(work, _inside(node.kids[-1] if node.kind != "do" else node.kids[0]), "")
    elif node.kind in ("block", "if"):
        for kid in node.kids[1 if node.kind == "if" else 0 :]:
            _sequence(work, _inside(kid), "")


def _bare(node: Node) -> Node:
    """A loop without the pragma that stands before it."""
    return node.kids[0] if node.kind == "other" and len(node.kids) == 1 else node


def _inside(node: Node) -> Sequence[Node]:
    return node.kids if node.kind == "block" else (node,)


def _branch(work: _Work, node: Node, outer: str) -> None:
    """`if (c) { ... barrier ... }` becomes a block with a flag."""
    if len(node.kids) != 2 or node.kids[1].kind != "block":
        raise RefusedError(f"the branch of line {work.line(node)} has an `else`, or no braces")
    then = node.kids[1]
    if any(n.kind == "return" for n in then.walk()):
        raise RefusedError(f"the branch of line {work.line(node)} returns: the others may meet its barriers elsewhere")
    opening = work.unit.text.code.index(b"(", node.start)
    condition = work.text(opening, work.unit.text.close(opening) + 1)
    flag = work.flag()
    work.handled.append(node)
    begin = f"{{\n  const bool {flag} = {outer + ' && ' if outer else ''}{condition};"
    work.edits.append(edit(work.unit, node.start, then.start + 1, begin.encode()))
    _sequence(work, then.kids, flag)


def _loop(work: _Work, node: Node) -> None:
    """A loop over a thread's items turns as often in every thread; those beyond the end wait."""
    if node.kind != "for" or len(node.kids) != 4 or node.kids[3].kind != "block":
        raise RefusedError(f"the loop of line {work.line(node)} is no plain `for`")
    begin, condition, step, body = node.kids
    variable = begin.kids[0] if begin.kind == "declare" and len(begin.kids) == 1 else None
    counts = condition.kind == "binary" and condition.name == "<" and condition.kids[0].kind == "name"
    if variable is None or not counts or condition.kids[0].refers != variable.refers:
        raise RefusedError(f"the loop of line {work.line(node)} is no plain count")
    start = re.sub(r"\s", "", work.text(variable.start, variable.end)).partition("=")[2]
    strides = step.kind == "assign" and step.name == "+=" and step.kids[0].refers == variable.refers
    steady = strides and not any(parts.differs(n, work.meanings, work.same) for n in (condition.kids[1], step.kids[1]))
    if not steady or not _THREAD.fullmatch(_CASTS.sub("", start).replace("(", "").replace(")", "")):
        raise RefusedError(f"the loop of line {work.line(node)} does not stride from the thread's number")
    if any(sets(n) and n.kids[0].refers == variable.refers for n in body.walk()):
        raise RefusedError(f"the loop of line {work.line(node)} changes its variable")
    name, flag = variable.name, work.flag()
    work.handled.append(node)
    thread = f" - static_cast<decltype({name})>(threadIdx.x)"
    work.put(condition.kids[0].end, thread)
    work.put(body.start + 1, f"\n  const bool {flag} = {work.text(condition.start, condition.end)};")
    _sequence(work, body.kids, flag)


def _statement(work: _Work, node: Node, flag: str) -> None:
    """A statement after some threads have stopped working."""
    if work.holds(node):
        _meeting(work, node, flag)
        return
    if any(n.kind in ("return", "goto", "asm") for n in node.walk()) or node.kind in _LEAVES:
        raise RefusedError(f"line {work.line(node)} leaves the function or the loop before a barrier")
    if _jumps(node):
        raise RefusedError(f"line {work.line(node)} leaves the loop of a barrier")
    if node.kind == "declare":
        _declaration(work, node, flag)
    elif not changes_only_locals(node, work.unit.text.data):
        _only(work, node, flag)
    elif any(n.kind == "name" and n.refers in work.written for n in node.walk()):
        work.written |= {n.refers for n in node.walk() if n.kind == "name"}


def _jumps(node: Node) -> bool:
    """Whether a break or continue in a statement leaves a loop around it."""
    todo = [node]
    while todo:
        one = todo.pop()
        if one.kind in ("break", "continue"):
            return True
        if one.kind not in (*_LOOPS, "switch", "lambda"):
            todo += one.kids
    return False


def _only(work: _Work, node: Node, flag: str) -> None:
    """A statement for the working threads alone."""
    work.written |= {n.kids[0].refers for n in node.walk() if sets(n) and n.kids[0].kind == "name"}
    pragma = _PRAGMA.search(work.unit.text.code, 0, node.start) if node.kind != "other" else None
    if node.kind == "other" or pragma:
        line = pragma.start() if pragma else work.unit.text.code.rfind(b"\n", 0, node.start) + 1
        work.put(line, f"if ({flag}) {{\n")
        work.put(work.past(node), "\n}")
    else:
        work.put(node.start, f"if ({flag}) ")


def _declaration(work: _Work, node: Node, flag: str) -> None:
    for variable in node.kids:
        if variable.kind != "variable" or not variable.kids or "__shared__" in variable.type:
            continue
        value = variable.kids[-1]
        if any(n.kind == "name" and n.refers in work.written for n in value.walk()):
            work.written.add(variable.refers)
        if is_pure(value, work.unit.text.data) or variable.type.rstrip().endswith("&") or value.kind == "lambda":
            continue
        begin = work.unit.text.code.rfind(b"=", variable.start, value.start)
        if begin < 0 or work.unit.text.code[begin - 1 : begin] in b"<>=!":
            raise RefusedError(f"`{variable.name}` is set in a way that is not understood")
        code = work.unit.text.code
        begin = next(at for at in range(begin + 1, value.end) if code[at] not in b" \t\r\n")
        spelled = scalar(variable.type)
        if pointed(variable.type):
            work.put(begin, f"{flag} ? ")
            work.put(variable.end, " : nullptr")
        elif spelled:
            work.put(begin, f"{flag} ? static_cast<{spelled}>(")
            work.put(variable.end, f") : {spelled}()")
        else:
            raise RefusedError(f"`{variable.name}` is no scalar")
        work.written.add(variable.refers)


def _meeting(work: _Work, node: Node, flag: str) -> None:
    """A statement that holds a barrier, after some threads have stopped working."""
    node = _bare(node)
    if node.kind == "block":
        _sequence(work, node.kids, flag)
    elif node.kind == "if":
        if parts.differs(node.kids[0], work.meanings, work.same):
            _branch(work, node, flag)
            return
        if not is_pure(node.kids[0], work.unit.text.data):
            raise RefusedError(f"the branch of line {work.line(node)} reads memory")
        _asks(work, node.kids[0])
        for kid in node.kids[1:]:
            _sequence(work, _inside(kid), flag)
    elif node.kind in _LOOPS:
        condition = parts.condition_of(node)
        begun = {**work.same, **parts.begun(node, work.meanings)}
        if condition is None or parts.differs(condition, work.meanings, begun) or not _steady(work, node):
            raise RefusedError(f"the loop of line {work.line(node)} differs between threads")
        _asks(work, condition)
        _sequence(work, _inside(node.kids[-1] if node.kind != "do" else node.kids[0]), flag)
    else:
        given(work.unit, node, work.met, flag, work.edits)


def _steady(work: _Work, loop: Node) -> bool:
    """Whether a loop's head neither reads memory nor is left in the middle."""
    heads = loop.kids[1:] if loop.kind == "do" else loop.kids[:-1]
    body = loop.kids[0] if loop.kind == "do" else loop.kids[-1]
    return all(is_pure(head, work.unit.text.data) or head.kind == "declare" for head in heads) and not _jumps(body)


def _asks(work: _Work, condition: Node) -> None:
    work.asked |= {n.refers for n in condition.walk() if n.kind == "name"}
