"""Where the result of one warp's exchange can be seen from outside: values that shuffles give, followed to memory.

A block's reduction hides how many lanes its warps have; a warp's own result does not. A value is a warp's where a
shuffle has a part in it. It may leave the kernel only from one thread of the block, or by a commutative atomic of one
lane of each warp.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node

_SHUFFLES = ("__shfl", "shfl")
_COMMUTATIVE = ("atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")
_LOOPS = frozenset({"while", "do", "for"})
_LEAVES = frozenset({"return", "break", "continue", "goto"})
_ONE_THREAD, _ONE_LANE = 2, 1


@dataclass(frozen=True, slots=True)
class Gives:
    """What a function returns: a warp's value by itself, or one where it gets one."""

    always: bool = False
    passed: bool = False


@dataclass(slots=True)
class _Flow:
    """The values of one function; `given` says whether its parameters may be a warp's."""

    meanings: Meanings
    types: Mapping[int, str]
    functions: Mapping[str, Gives]
    parameters: frozenset[int]
    given: bool
    of_warp: set[int] = field(default_factory=set)
    returns: bool = False
    reason: str = ""

    def value(self, node: Node) -> bool:
        """Whether an expression is a warp's value."""
        if node.kind == "name":
            return node.refers in self.of_warp or (self.given and node.refers in self.parameters)
        if node.kind == "call":
            if node.name.startswith(_SHUFFLES):
                return True
            gives = self.functions.get(node.name, Gives(passed=True))
            if gives.always:
                return True
            return gives.passed and any(self.value(kid) for kid in node.kids[1:])
        return any(self.value(kid) for kid in node.kids)

    def run(self, body: Node) -> None:
        """Follow the values until nothing new is a warp's."""
        while True:
            before = len(self.of_warp), self.returns
            self.reason = next(self.statement(body, ()), "")
            if (len(self.of_warp), self.returns) == before:
                return

    def statement(self, node: Node, conditions: tuple[Node, ...]) -> Iterator[str]:
        """What is wrong in a statement that runs under `conditions`."""
        if node.kind == "if" and node.kids:
            yield from self.statement(node.kids[0], conditions)
            for kid in node.kids[1:]:
                yield from self.statement(kid, (*conditions, node.kids[0]))
            return
        if node.kind in _LOOPS:
            conditions = (*conditions, *(k for k in node.kids[:-1] if k.kind in ("binary", "name", "unary", "call")))
        if node.kind in _LEAVES and any(self.value(c) for c in conditions):
            yield "an early end depends on a warp's result"
        if node.kind == "return" and any(self.value(kid) for kid in node.kids):
            self.returns = True
        if node.kind == "variable" and any(self.value(kid) for kid in node.kids):
            self.of_warp.add(node.refers)
        if len(node.kids) == 2 and (node.kind == "assign" or (node.kind == "binary" and node.name == "=")):
            yield from self.store(node, conditions)
        if node.kind == "call" and node.name.startswith("atomic"):
            yield from self.atomic(node, conditions)
        for kid in node.kids:
            yield from self.statement(kid, conditions)

    def store(self, node: Node, conditions: tuple[Node, ...]) -> Iterator[str]:
        target, right = node.kids
        seen = self.value(right) or any(self.value(c) for c in conditions)
        base = _base(target)
        if target.kind == "name":
            if seen:
                self.of_warp.add(target.refers)
            return
        local = base is not None and base.kind == "name" and "[" in self.types.get(base.refers, "")
        seen = seen or any(self.value(kid) for kid in target.kids[1:])
        if not seen or self.alone(conditions) == _ONE_THREAD:
            return
        if local and base is not None:
            self.of_warp.add(base.refers)  # an array of the function's own, in registers or in LDS
            return
        yield "a warp's result is stored by more than one thread of the block"

    def atomic(self, node: Node, conditions: tuple[Node, ...]) -> Iterator[str]:
        seen = any(self.value(kid) for kid in node.kids[1:]) or any(self.value(c) for c in conditions)
        needed = _ONE_LANE if node.name.startswith(_COMMUTATIVE) else _ONE_THREAD
        if seen and self.alone(conditions) < needed:
            yield "a warp's result goes into an atomic of more than one lane"

    def alone(self, conditions: tuple[Node, ...]) -> int:
        """How few threads get through: one of the block, one of each warp, or more (0)."""
        lane = warp = thread = False
        for condition in conditions:
            for node in condition.walk():
                if node.kind == "binary" and node.name in ("||", "!="):
                    break
                equal = node.kind == "binary" and node.name == "==" and len(node.kids) == 2
                none = node.kind == "unary" and node.name == "!" and len(node.kids) == 1
                if not none and not (equal and self.meanings.constant(node.kids[1]) == 0):
                    continue
                means = self.meanings.of(node.kids[0])
                lane |= bool(means & Means.LANE) and not means & Means.BLOCK
                warp |= bool(means & Means.WARP) and not means & Means.BLOCK
                thread |= bool(means & Means.THREAD) and not means & (Means.LANE | Means.WARP | Means.BLOCK)
        if thread or (lane and warp):
            return _ONE_THREAD
        return _ONE_LANE if lane else 0


def _base(node: Node) -> Node | None:
    """The array or pointer that an expression stores through."""
    while node.kind in ("index", "unary", "member", "cast") and node.kids:
        node = node.kids[0]
    return node if node.kind == "name" else None


def _flow(
    body: Node, parameters: tuple[Node, ...], macros: Macros, functions: Mapping[str, Gives], *, given: bool
) -> _Flow:
    nodes = [n for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")]
    values = frozenset(p.refers for p in parameters if "*" not in p.type and "[" not in p.type)
    types = {n.refers: n.type for n in nodes if n.kind == "variable"}
    found = _Flow(Meanings(body, parameters, macros), types, functions, values, given)
    found.run(body)
    return found


def gives(
    bodies: Mapping[str, tuple[Node, tuple[Node, ...], Macros]],
) -> dict[str, Gives]:
    """What the device functions of a closure return, by name."""
    found: dict[str, Gives] = dict.fromkeys(bodies, Gives())
    while True:
        after = {
            name: Gives(
                _flow(body, parameters, macros, found, given=False).returns,
                _flow(body, parameters, macros, found, given=True).returns,
            )
            for name, (body, parameters, macros) in bodies.items()
        }
        if after == found:
            return found
        found = after


def shows(
    body: Node, parameters: tuple[Node, ...], macros: Macros, functions: Mapping[str, Gives], *, kernel: bool
) -> str:
    """How a function lets a warp's result be seen, or empty; what a device function gets may be a warp's."""
    return _flow(body, parameters, macros, functions, given=not kernel).reason
