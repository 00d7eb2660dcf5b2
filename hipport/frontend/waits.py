"""Where threads wait for others: barriers in a branch that only some warps take, and loops that spin on memory.

On a 64-lane wave the two 32-lane halves cannot run ahead of each other: a half that spins keeps the other from setting
what it waits for, and a barrier in a branch of one half is met once for the wave.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node


class WaitKind(str, Enum):
    """What is waited for."""

    BARRIER = "barrier"  # a block barrier inside a branch that only some warps take
    LOCK = "lock"  # a lock that several lanes of one wave want
    FLAG = "flag"  # a value that another warp of the block sets
    BLOCK = "block"  # a value that another block sets


@dataclass(frozen=True, slots=True)
class Wait:
    """One place, bytes `start` to `end`, where threads wait."""

    kind: WaitKind
    start: int
    end: int


_BARRIERS = frozenset({"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"})
_COMPARES = ("==", "!=", "<=", ">=")
_MEETINGS = frozenset({"wait", "wait_parity", "arrive_and_wait", "consumer_wait", "producer_acquire"})
_LOCKS = frozenset({"atomicCAS", "atomicExch", "atomicCAS_block", "atomicExch_block"})
_LOADS = frozenset({"__ldcg", "__ldcv", "load", "atomicAdd", "atomicOr", "atomicCAS", "atomicExch", "atomicMax"})
_IDLE = frozenset(
    {"__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system", "__syncwarp", "printf"}
)
_LOOPS = frozenset({"while", "do", "for"})


def find(body: Node, parameters: tuple[Node, ...], macros: Macros, data: bytes) -> tuple[Wait, ...]:
    """The waits of one device function."""
    finder = _Finder(Meanings(body, parameters, macros), body, parameters, data)
    return tuple(finder.statement(body, ()))


class _Finder:
    def __init__(self, meanings: Meanings, body: Node, parameters: tuple[Node, ...], data: bytes) -> None:
        self.meanings = meanings
        self.data = data
        self.types = {n.refers: n.type for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")}

    def statement(self, node: Node, conditions: tuple[Node, ...]) -> Iterator[Wait]:
        """The waits in a statement that runs under `conditions`."""
        if node.kind == "if" and node.kids:
            for kid in node.kids[1:]:
                yield from self.statement(kid, (*conditions, node.kids[0]))
            return
        if node.kind in _LOOPS:
            condition = _condition(node)
            leaves = self.leaving(node) if condition is None or condition.kind == "boolean" else None
            if condition is not None or leaves is not None:
                wait = self.spin(node, leaves or condition, conditions, looks=leaves is not None)
                if wait is not None:
                    yield wait
                    return
                conditions = (*conditions, condition) if condition is not None else conditions
        if node.kind == "call" and (node.name in _BARRIERS or self.block_sync(node)):
            if any(self.splits(c) for c in conditions):
                yield Wait(WaitKind.BARRIER, node.start, node.end)
            return
        if node.kind == "call" and node.name in _MEETINGS and self.meets(node):
            if any(self.splits(c) for c in conditions):
                yield Wait(WaitKind.BARRIER, node.start, node.end)
            return
        if node.kind == "asm":
            if b"bar.sync" in self.text(node) and any(self.splits(c) for c in conditions):
                yield Wait(WaitKind.BARRIER, node.start, node.end)
            return
        for kid in node.kids:
            yield from self.statement(kid, conditions)

    def text(self, node: Node) -> bytes:
        return self.data[node.start : node.end]

    def block_sync(self, node: Node) -> bool:
        """`block.sync()` of a thread block."""
        if node.name != "sync" or not node.kids:
            return False
        owner = next((n for n in node.kids[0].walk() if n.kind == "name"), None)
        return (
            owner is not None
            and "thread_block" in self.types.get(owner.refers, "")
            and "tile" not in self.types.get(owner.refers, "")
        )

    def meets(self, node: Node) -> bool:
        """A wait of a `cuda::barrier` or of a block's `cuda::pipeline`."""
        owner = next((n for n in node.kids[0].walk() if n.kind == "name"), None) if node.kids else None
        type_ = self.types.get(owner.refers, "") if owner is not None else ""
        return "barrier" in type_ or ("pipeline" in type_ and "thread_scope_thread" not in type_)

    def splits(self, condition: Node) -> bool:
        """Whether the halves of one wave may see a condition differently, and each half sees it as one."""
        means = self.meanings.of(condition)
        if means & Means.WARP:
            return True
        if not means & Means.THREAD or condition.kind != "binary" or len(condition.kids) != 2:
            return False
        bound = self.meanings.constant(condition.kids[1])
        return condition.name in ("<", ">=", "<=", ">") and bound in (31, 32, 95, 96)

    def block_leader(self, conditions: tuple[Node, ...]) -> bool:
        """Whether one thread of the block alone gets there."""
        for condition in conditions:
            for node in condition.walk():
                if node.kind == "binary" and node.name == "==" and len(node.kids) == 2:
                    means = self.meanings.of(node.kids[0]) | self.meanings.of(node.kids[1])
                    if means & Means.THREAD and not means & (Means.LANE | Means.WARP):
                        return True
                if node.kind == "unary" and node.name == "!" and node.kids:
                    means = self.meanings.of(node.kids[0])
                    if means & Means.THREAD and not means & (Means.LANE | Means.WARP):
                        return True
        return False

    def leaving(self, loop: Node) -> Node | None:
        """What a loop without end asks before it breaks, where it does nothing but look and ask."""
        body = loop.kids[-1] if loop.kids and loop.kind != "do" else None
        if body is None or body.kind != "block" or (loop.kind == "for" and len(loop.kids) > 1):
            return None
        asked = None
        for kid in body.kids:
            if kid.kind == "if" and len(kid.kids) == 2 and asked is None:
                then = kid.kids[1]
                then = then.kids[0] if then.kind == "block" and len(then.kids) == 1 else then
                if then.kind != "break":
                    return None
                asked = kid.kids[0]
            elif kid.kind == "declare" or (kid.kind == "binary" and kid.name == "=" and kid.kids[0].kind == "name"):
                if self.read(kid, kid) is None:
                    return None
            elif kid.kind != "call" or kid.name not in _IDLE:
                return None
        return asked

    def spin(
        self, loop: Node, condition: Node | None, conditions: tuple[Node, ...], *, looks: bool = False
    ) -> Wait | None:
        """What a loop waits for, if that is what it does; `looks` says that it does nothing else."""
        if condition is None:
            return None
        lock = next((n for n in condition.walk() if n.kind == "call" and n.name in _LOCKS and self.takes(n)), None)
        leader = self.block_leader(conditions)
        if lock is not None:
            kind = WaitKind.BLOCK if leader else WaitKind.LOCK
            return Wait(kind, loop.start, loop.end)
        if not looks and not self.idle(loop, condition):
            return None
        read = self.read(loop, condition)
        if read is None or self.moves(loop, read):
            return None
        means = self.meanings.of(read)
        shared = any("__shared__" in self.types.get(n.refers, "") for n in read.walk() if n.kind == "name")
        if leader or not (shared or means & (Means.WARP | Means.LANE | Means.THREAD)):
            return Wait(WaitKind.BLOCK, loop.start, loop.end)
        return Wait(WaitKind.FLAG, loop.start, loop.end)

    def takes(self, call: Node) -> bool:
        """Whether an atomic takes a lock: it writes a constant."""
        values = (
            call.kids[2:]
            if call.kids and call.kids[0].kind == "name" and call.kids[0].name == call.name
            else call.kids[1:]
        )
        return bool(values) and all(self.meanings.constant(v) is not None for v in values)

    def idle(self, loop: Node, condition: Node) -> bool:
        """Whether a loop does nothing but look again."""
        if loop.kind == "for":
            return False
        for kid in loop.kids:
            if kid is condition:
                continue
            for node in kid.walk():
                if node.kind == "call" and node.name not in _IDLE | _LOADS and node.name:
                    return False
                if node.kind in ("assign", "if", "return", "break", *_LOOPS, "variable"):
                    return False
                if node.kind == "unary" and node.name in ("++", "--", "p++", "p--"):
                    return False
                if node.kind == "binary" and node.name == "=" and self.read(node.kids[-1], node.kids[-1]) is None:
                    return False
                if node.kind == "binary" and node.name == "=" and node.kids[0].kind != "name":
                    return False
        return not any(n.kind == "unary" and n.name in ("++", "--", "p++", "p--") for n in condition.walk())

    def read(self, loop: Node, condition: Node) -> Node | None:
        """The memory that a waiting loop reads: through a volatile, an atomic or a dereference."""
        for root in (condition, loop):
            for node in self.looks(root):
                if node.kind == "call" and node.name in _LOADS:
                    return node
                if node.kind == "index" or (node.kind == "unary" and node.name == "*"):
                    return node
                if node.kind == "name" and ("volatile" in self.types.get(node.refers, "") or self.outside(node)):
                    return node
        return None

    def looks(self, root: Node) -> Iterator[Node]:
        """What a loop asks itself: what a function of the code's own is given, that function asks."""
        todo = [root]
        while todo:
            node = todo.pop()
            yield node
            own = node.kind == "call" and node.name and node.name not in _LOADS and not node.name.startswith("__")
            if not own or node.name in ("min", "max"):
                todo += reversed(node.kids)

    def moves(self, loop: Node, read: Node) -> bool:
        """Whether a loop looks at another place in each turn: it walks through memory and waits for nobody."""
        at = {n.refers for n in read.walk() if n.kind == "name" and n.refers >= 0}
        sets = (n for n in loop.walk() if n.kind in ("binary", "assign") and n.name.endswith("="))
        return any(n.name not in _COMPARES and n.kids[0].kind == "name" and n.kids[0].refers in at for n in sets)

    def outside(self, node: Node) -> bool:
        """A volatile variable of the file, which lies in memory."""
        if node.refers in self.types or node.refers < 0 or not node.name:
            return False
        line = self.data[self.data.rfind(b"\n", 0, node.refers) + 1 : node.refers]
        return b"volatile" in line and b"__device__" in line


def _condition(loop: Node) -> Node | None:
    if loop.kind == "while":
        return loop.kids[0] if loop.kids else None
    if loop.kind == "do":
        return loop.kids[-1] if loop.kids else None
    compared = ("<", ">", "<=", ">=", "!=", "==", "&&", "||")
    return next((k for k in loop.kids[:-1] if k.kind == "binary" and k.name in compared), None)
