"""Whether a kernel's result is the same for any width of its warps: what each statement does to a warp's own result.

Values are followed in the order of the text, through the device functions that are called. A warp's sum (a maximum,
...) may go by one lane into an array with an entry a warp, or by one lane into an atomic of the same operator; it is
whole after the first warp has read as many entries as there are warps, and reduced them by that operator. Only one
thread has it then. All else that touches a warp's result, or asks for a lane's or a warp's number, is refused: what is
added to it, or done in each warp once, would be there half as often in a wave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.frontend.flowing import (
    ATOMICS,
    CLEAN,
    COMPLETE,
    GATHERED,
    ONE_LANE,
    ONE_THREAD,
    PART,
    WIDTH,
    Body,
    Conditions,
    RefusedError,
    Value,
    joined,
    operator_of,
    picked,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.frontend.tree import Node

_SETS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_LOOPS = frozenset({"for", "while", "do"})
_LEAVES = frozenset({"return", "break", "continue", "goto"})
_HARMLESS = ("__sync", "sync")


def depends(kernel: Body, functions: Mapping[str, Body]) -> str:
    """How what a kernel gives depends on the width of its warps; empty if it does not."""
    reader = _Reader(functions)
    try:
        reader.statement(kernel, kernel.body, frozenset())
    except RefusedError as refused:
        return str(refused)
    return ""


@dataclass(slots=True)
class _Reader:
    functions: Mapping[str, Body]
    values: dict[int, Value] = field(default_factory=dict)
    arrays: dict[int, Value] = field(default_factory=dict)  # with an entry a warp, and what is in it
    names: dict[int, int] = field(default_factory=dict)  # a function's parameter for an array: the array
    made: dict[int, Conditions] = field(default_factory=dict)  # under which conditions a variable is declared
    given: list[Value] = field(default_factory=list)  # what the functions return that are being read
    inside: list[str] = field(default_factory=list)
    entered: list[Conditions] = field(default_factory=lambda: [frozenset()])

    def statement(self, body: Body, node: Node, under: Conditions) -> None:
        if node.kind in ("asm", "lambda", "goto"):
            raise RefusedError(f"a `{node.kind}` is not followed")
        if node.kind == "if":
            self.branch(body, node, under)
        elif node.kind in _LOOPS:
            self.loop(body, node, under)
        elif node.kind in _LEAVES:
            if under != self.entered[-1]:
                raise RefusedError("some lanes leave early")
            found = [self.value(body, kid, under) for kid in node.kids]
            if found and self.inside:
                self.given.append(found[0])
        elif node.kind == "variable":
            self.made[node.refers] = under
            shared = "__shared__" in node.type
            initial = node.kids[-1:] if "[" not in node.type else ()
            found = [self.value(body, kid, under) for kid in initial]
            self.values[node.refers] = CLEAN if shared or not found else found[0]
        elif node.kind in ("block", "declare"):
            for kid in node.kids:
                self.statement(body, kid, under)
        elif (node.name in _SETS and len(node.kids) == 2) or body.dependent(node) in _SETS:
            self.store(body, node.kids[0], node, under)
        else:
            self.value(body, node, under)

    def branch(self, body: Body, node: Node, under: Conditions) -> None:
        more = self.conditions(body, node.kids[0], under)
        if "count" in more and not under:
            raise RefusedError("threads are told apart by the number of warps")
        before = dict(self.values)
        self.statement(body, node.kids[1], under | more)
        if not more and any(before[k] != v and before[k] != CLEAN for k, v in self.values.items() if k in before):
            raise RefusedError("a warp's result is changed in some threads")
        for kid in node.kids[2:]:
            if more:
                raise RefusedError("a branch of some lanes has another side")
            self.statement(body, kid, under)

    def loop(self, body: Body, node: Node, under: Conditions) -> None:
        heads = node.kids[1:] if node.kind == "do" else node.kids[:-1]
        inner = node.kids[0] if node.kind == "do" else node.kids[-1]
        moved = {n.refers for head in heads for n in head.walk() if n.kind in ("variable", "name")}
        calls = [n for n in inner.walk() if n.kind == "call" and n.name.startswith("__shfl")]
        steps = bool(calls) and all(any(k.refers in moved for a in c.kids[1:] for k in a.walk()) for c in calls)
        for _ in range(1 if steps else 2):
            for head in heads:
                self.statement(body, head, under)
                self.values.update({n.refers: CLEAN for n in head.walk() if n.kind == "variable" and steps})
            if not steps and any(self.values.get(k, CLEAN) != CLEAN for k in moved):
                raise RefusedError("the turns of a loop depend on the width of a warp")
            self.statement(body, inner, under)

    def store(self, body: Body, target: Node, node: Node, under: Conditions) -> None:
        operator = node.name or body.dependent(node)
        right = self.value(body, node.kids[-1], under)
        if target.kind == "name":
            old = self.values.get(target.refers, CLEAN)
            new = right if operator == "=" else self.combined(old, right, operator.rstrip("="))
            if right.kind == "moved" and operator == "=":
                raise RefusedError("a value of another lane is kept")
            within = self.made.get(target.refers) == under or under >= ONE_THREAD or "thread" in under
            if under and not within and new.kind not in ("gathered", "complete"):
                raise RefusedError("what some lanes or warps do is no part of the reduction")
            self.values[target.refers] = new
            if "__shared__" in body.types.get(target.refers, ""):
                if not self.alone(under) and (under or new != CLEAN):
                    raise RefusedError("a warp's result is stored by more than one thread of the block")
                self.values[target.refers] = CLEAN
            return
        base, subscript = self.place(body, target, under)
        if self.alone(under):
            if right.kind not in ("clean", "complete"):
                raise RefusedError("one warp's own result is stored")
            if base in self.arrays:
                self.arrays[base] = COMPLETE if right == COMPLETE else right
        elif under == ONE_LANE:
            if right.kind != "part" or operator != "=" or base < 0 or not body.is_warp(subscript):
                raise RefusedError("what each warp stores is not its own result alone")
            self.arrays[base] = right
        elif under or right != CLEAN or self.value(body, subscript, under) != CLEAN:
            raise RefusedError("a warp's result, or what some lanes do, is stored")

    def place(self, body: Body, target: Node, under: Conditions) -> tuple[int, Node]:
        """(the array that is stored to, where); -1 for memory that a pointer leads to."""
        if target.kind == "index" and target.kids[0].kind == "name":
            return self.array(body, target.kids[0]), target.kids[1]
        if any(self.value(body, kid, under) != CLEAN for kid in target.kids):
            raise RefusedError("memory is addressed by the width of a warp")
        return -1, target.kids[0] if target.kids else target

    def array(self, body: Body, name: Node) -> int:
        refers = self.names.get(name.refers, name.refers)
        return refers if refers != name.refers or "__shared__" in body.types.get(name.refers, "") else -1

    def alone(self, under: Conditions) -> bool:
        return "thread" in under or under >= ONE_THREAD

    def conditions(self, body: Body, node: Node, under: Conditions) -> Conditions:
        more = body.conditions(node, lambda n: self.value(body, n, under))
        if self.alone(under):
            return more - {"count"}
        return more

    def combined(self, left: Value, right: Value, operator: str) -> Value:
        """What an operator makes of two values, one of which may come from another lane."""
        moved = next((v for v in (left, right) if v.kind == "moved"), None)
        if moved is None:
            return joined(left, right)
        own = right if moved is left else left
        if own.kind != moved.of:
            raise RefusedError("a value of another lane meets another value")
        if own == CLEAN:
            return Value(PART, operator)
        if own.kind == GATHERED and own.operator == operator:
            return COMPLETE
        raise RefusedError("a warp's result is reduced again")

    def value(self, body: Body, node: Node, under: Conditions) -> Value:
        if node.kind == "name":
            known = self.values.get(node.refers)
            return known if known is not None else (WIDTH if body.is_width(node) else CLEAN)
        if node.kind == "index" and len(node.kids) == 2:
            return self.read(body, node, under)
        if node.kind == "call" and not body.dependent(node):
            return self.call(body, node, under)
        if node.kind == "choose" and len(node.kids) == 3:
            return self.choice(body, node, under)
        if node.kind in ("lambda", "asm"):
            raise RefusedError(f"a `{node.kind}` is not followed")
        kids = [kid for kid in node.kids if not (body.dependent(node) and kid is node.kids[1])]
        body.check(node)
        found = [self.value(body, kid, under) for kid in kids]
        if len(found) == 2 and any(v.kind == "moved" for v in found):
            return self.combined(found[0], found[1], node.name or body.dependent(node))
        if node.kind == "cast" and len(found) == 1:
            return found[0]
        return WIDTH if body.counts(node) else joined(*found)

    def read(self, body: Body, node: Node, under: Conditions) -> Value:
        base = self.array(body, node.kids[0]) if node.kids[0].kind == "name" else -1
        held = self.arrays.get(base)
        if held is None:
            if any(self.value(body, kid, under) != CLEAN for kid in node.kids):
                raise RefusedError("memory is addressed by the width of a warp")
            return CLEAN
        if held.kind != PART:
            if body.constant(node.kids[1]) != 0:
                raise RefusedError("partial results are read again")
            return CLEAN  # what one thread has stored
        if "count" not in under:
            raise RefusedError("partial results are read without a bound")
        return Value(GATHERED, held.operator)

    def choice(self, body: Body, node: Node, under: Conditions) -> Value:
        more = self.conditions(body, node.kids[0], under)
        if "count" in more:
            return self.value(body, node.kids[1], under | more)
        if more and not self.alone(under):
            raise RefusedError("lanes or warps choose different values")
        sides = [self.value(body, kid, under) for kid in node.kids[1:]]
        if any(v.kind == "moved" for v in sides):
            return self.combined(sides[0], sides[1], picked(body, node))
        return joined(*sides)

    def call(self, body: Body, node: Node, under: Conditions) -> Value:
        given = node.kids[1:]
        if node.name.startswith("__shfl"):
            return self.shuffle(body, node, under)
        if node.name.startswith("atomic"):
            return self.atomic(body, node, under)
        if node.name in self.functions:
            return self.function(self.functions[node.name], body, given, under)
        if node.name.startswith(_HARMLESS):
            return CLEAN
        found = [self.value(body, kid, under) for kid in given]
        if len(found) == 2 and any(v.kind == "moved" for v in found):
            return self.combined(found[0], found[1], operator_of(node.name))
        return joined(*found)

    def shuffle(self, body: Body, node: Node, under: Conditions) -> Value:
        given = node.kids[2:] if node.name.endswith("_sync") else node.kids[1:]
        if "lane" in under or "thread" in under or not given:
            raise RefusedError("a shuffle of some lanes")
        found = self.value(body, given[0], under)
        if not node.name.startswith(("__shfl_down", "__shfl_xor")):
            if node.name.startswith("__shfl_up") or found.kind not in (PART, "complete"):
                raise RefusedError("a value is taken from a lane that is no first one of its warp's reduction")
            return found
        if found.kind not in ("clean", GATHERED):
            raise RefusedError("a warp's result is reduced again")
        return Value("moved", found.operator, found.kind)

    def atomic(self, body: Body, node: Node, under: Conditions) -> Value:
        found = [self.value(body, kid, under) for kid in node.kids[1:]]
        if under == ONE_LANE:
            value = found[-1]
            if value != Value(PART, ATOMICS.get(node.name, "")) or any(v != CLEAN for v in found[:-1]):
                raise RefusedError("an atomic of each warp does not take its own result alone")
        elif not self.alone(under) and (under or any(v != CLEAN for v in found)):
            raise RefusedError("an atomic depends on the width of a warp")
        elif any(v.kind not in ("clean", "complete") for v in found):
            raise RefusedError("one warp's own result goes into an atomic")
        return CLEAN

    def function(self, called: Body, body: Body, given: tuple[Node, ...], under: Conditions) -> Value:
        if called.name in self.inside or len(given) > len(called.parameters):
            raise RefusedError(f"`{called.name}` is not followed")
        for parameter, node in zip(called.parameters, given, strict=False):
            if node.kind == "name" and (array := self.array(body, node)) >= 0:
                self.names[parameter.refers] = array
            else:
                self.values[parameter.refers] = self.value(body, node, under)
            self.made[parameter.refers] = under
        self.inside.append(called.name)
        self.entered.append(under)
        kept, self.given = self.given, []
        self.statement(called, called.body, under)
        found, self.given = self.given, kept
        self.inside.pop()
        self.entered.pop()
        return joined(*found)
