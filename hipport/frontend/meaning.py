"""What the values of a device function mean: a thread's number, a lane, a warp's number, a mask, a block's number.

Flow-insensitive: a variable means everything that is ever put into it.
"""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node


class Means(IntFlag):
    """What a value depends on."""

    NOTHING = 0
    THREAD = 1  # the number of the thread in its block
    LANE = 2  # its place among 32
    WARP = 4  # the number of its 32 in the block
    MASK = 8  # one bit a lane
    BLOCK = 16  # the number of the block


_LANE_NAMES = frozenset({"lane", "lane_id", "laneid", "laneId", "laneIdx", "lane_idx", "lid"})
_WARP_NAMES = frozenset({"warp", "warp_id", "warpid", "warpId", "warpIdx", "warp_idx", "wid", "wrapid", "warpID"})
_MASKS = ("__ballot", "__match_", "__activemask")
_GROUP = {"thread_rank": Means.THREAD, "meta_group_rank": Means.WARP, "group_index": Means.BLOCK}


class Meanings:
    """The meanings of one function's variables by where they are declared."""

    def __init__(self, body: Node, parameters: tuple[Node, ...], macros: Macros) -> None:
        self._macros = macros
        self._of: dict[int, Means] = {}
        for parameter in parameters:
            self._of[parameter.refers] = by_name(parameter.name)
        nodes = [n for n in body.walk() if n.kind in ("variable", "binary", "assign")]
        for _ in range(3):
            before = dict(self._of)
            for node in nodes:
                self._learn(node)
            if self._of == before:
                break

    def _learn(self, node: Node) -> None:
        if node.kind == "variable":
            found = Means.NOTHING
            for kid in node.kids:
                found |= self._value(kid)
            self._of[node.refers] = self._of.get(node.refers, Means.NOTHING) | found
        elif node.kids and node.kids[0].kind == "name" and (node.name == "=" or node.kind == "assign"):
            target = node.kids[0].refers
            if target >= 0 and len(node.kids) > 1:
                self._of[target] = self._of.get(target, Means.NOTHING) | self._value(node.kids[1])

    def _value(self, node: Node) -> Means:
        """What a value means that is put into a variable: what is read from memory means nothing by its address."""
        if node.kind == "index" or (node.kind == "unary" and node.name == "*"):
            return Means.NOTHING
        if node.kind == "call" and node.name.startswith("__shfl"):
            return Means.NOTHING
        return self.of(node)

    def variable(self, declared: int) -> Means:
        """What the variable that is declared at an offset means."""
        return self._of.get(declared, Means.NOTHING)

    def of(self, node: Node) -> Means:
        """What an expression means."""
        if node.kind == "name":
            if node.name == "threadIdx":
                return Means.THREAD
            if node.name == "blockIdx":
                return Means.BLOCK
            return self._of.get(node.refers, Means.NOTHING) if node.refers >= 0 else Means.NOTHING
        if node.kind == "call":
            return self._call(node)
        found = Means.NOTHING
        for kid in node.kids:
            found |= self.of(kid)
        if node.kind == "binary" and found & Means.THREAD and len(node.kids) == 2:
            return self._split(node, found)
        return found

    def _call(self, node: Node) -> Means:
        if node.name.startswith(_MASKS):
            return Means.MASK
        if node.name in _GROUP:
            return _GROUP[node.name]
        if node.name.startswith("__syncthreads"):
            return Means.NOTHING  # a vote of the block: the same in all its threads
        found = by_name(node.name)
        for kid in node.kids:
            found |= self.of(kid)
        return found

    def _split(self, node: Node, found: Means) -> Means:
        """The lane or the warp out of a thread's number."""
        right = self.constant(node.kids[1])
        wave = node.kids[1].name == "warpSize" or (node.name == "&" and _below_wave(node.kids[1]))
        rest = found & ~Means.THREAD
        if node.name in ("%", "&"):
            if wave or right in (32, 31):
                return rest | Means.LANE
            return found
        if node.name in ("/", ">>"):
            divisor = right if node.name == "/" else (1 << right if right is not None and 0 <= right < 31 else None)
            if wave or divisor == 32:
                return rest | Means.WARP
            if divisor and divisor % 64 == 0:
                return rest  # the same in a whole wave
            return found
        return found

    def constant(self, node: Node) -> int | None:
        """The value of a constant expression."""
        if node.kind == "integer":
            return self._macros.value(node.name) if node.name[:1].isdigit() or node.name else None
        if node.kind == "name":
            return self._macros.value(node.name)
        if node.kind == "unary" and node.name == "-" and node.kids:
            value = self.constant(node.kids[0])
            return None if value is None else -value
        return None


def _below_wave(node: Node) -> bool:
    """Whether an expression is `warpSize - 1`."""
    return node.kind == "binary" and node.name == "-" and [kid.name for kid in node.kids] == ["warpSize", "1"]


def by_name(name: str) -> Means:
    """What a name says by itself, where nothing else is known."""
    if name in _LANE_NAMES:
        return Means.LANE
    if name in _WARP_NAMES:
        return Means.WARP
    return Means.THREAD if name in ("tid", "thread_id", "threadId") else Means.NOTHING
