"""Which numbers of a device function mean the width of a warp, and which a tile, a word or anything else.

A 32, 31 or 5 means the warp where it takes a thread's number apart, bounds a lane or a warp's number, is the width
or the offset of a shuffle, or counts the warps of a block. All else (`tile[32]`, `x << 5`, a 32-bit field) is left out.
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


class Role(str, Enum):
    """What a number that means the warp does."""

    LANE = "lane"  # thread % 32, thread & 31
    WARP = "warp"  # thread / 32, thread >> 5
    COUNT = "count"  # the warps of a block: blockDim / 32
    SHUFFLE = "shuffle"  # the width of a shuffle, or the offset that its loop starts or ends with
    BOUND = "bound"  # a lane or a thread compared with it
    STRIDE = "stride"  # a loop over lanes steps by it
    PARTIALS = "partials"  # the size of an array with one entry a warp
    MASK = "mask"  # a 32-bit function of a word with a bit a lane


@dataclass(frozen=True, slots=True)
class Width:
    """One number, bytes `start` to `end`, that means the warp; `global_index`: what it takes apart counts the grid."""

    role: Role
    start: int
    end: int
    value: int
    macro: bool
    global_index: bool


_VALUES = (32, 31, 5, 16)
_SHUFFLES = ("__shfl", "shfl")
_BITS = frozenset({"__popc", "__ffs", "__clz", "__brev", "__fns"})
_COMPARE = ("<", ">", "<=", ">=", "==", "!=")


def find(body: Node, parameters: tuple[Node, ...], macros: Macros) -> tuple[Width, ...]:
    """The numbers of one device function that mean the warp, in the order of the text."""
    finder = _Finder(Meanings(body, parameters, macros), body)
    return tuple(sorted({w.start: w for w in finder.visit(body)}.values(), key=lambda w: w.start))


class _Finder:
    def __init__(self, meanings: Meanings, body: Node) -> None:
        self.meanings = meanings
        self.offsets = self._offsets(body)
        self.arrays = self._arrays(body)

    def _offsets(self, body: Node) -> frozenset[int]:
        """Where the variables are declared that are the offset of a shuffle."""
        found: set[int] = set()
        for node in body.walk():
            if node.kind == "call" and node.name.startswith(_SHUFFLES):
                for argument in node.kids[1:]:
                    found |= {n.refers for n in argument.walk() if n.kind == "name" and n.refers >= 0}
        declared = {
            n.refers for n in body.walk() if n.kind == "variable" and n.type in ("int", "unsigned int", "const int")
        }
        return frozenset(found & declared)

    def _arrays(self, body: Node) -> frozenset[int]:
        """Where the arrays are declared that are indexed by a warp's or a lane's number."""
        found: set[int] = set()
        for node in body.walk():
            if node.kind == "index" and len(node.kids) == 2:
                means = self.meanings.of(node.kids[1])
                base = node.kids[0].kids[0] if node.kids[0].kind == "index" else node.kids[0]
                if base.kind == "name" and means & (Means.WARP | Means.LANE) and not means & Means.BLOCK:
                    found.add(base.refers)
        return frozenset(found)

    def visit(self, node: Node) -> Iterator[Width]:
        """The widths in a node and below it."""
        if node.kind in ("binary", "assign") and len(node.kids) == 2:
            yield from self.binary(node)
        elif node.kind == "call" and node.name.startswith(_SHUFFLES):
            width = self.number(node.kids[-1]) if node.kids else None
            if width is not None and width[0] == 32 and len(node.kids) >= 4:
                yield self.made(Role.SHUFFLE, width)
        elif node.kind == "call" and node.name in _BITS and node.kids:
            if self.meanings.of(node.kids[-1]) & Means.MASK:
                yield Width(Role.MASK, node.start, node.end, 32, node.macro, global_index=False)
        elif node.kind == "index" and len(node.kids) == 2 and node.kids[0].refers in self.arrays:
            number = self.number(node.kids[1])
            if number is not None and number[0] == 32:
                yield self.made(Role.PARTIALS, number)
        elif node.kind == "variable":
            yield from self.variable(node)
        for kid in node.kids:
            yield from self.visit(kid)

    def made(self, role: Role, number: tuple[int, Node], means: Means = Means.NOTHING) -> Width:
        value, node = number
        return Width(role, node.start, node.end, value, node.macro, bool(means & Means.BLOCK))

    def number(self, node: Node) -> tuple[int, Node] | None:
        """A constant of a value that may mean the warp; a cast around it is looked through."""
        while node.kind == "cast" and len(node.kids) == 1:
            node = node.kids[0]
        value = self.meanings.constant(node)
        return None if value not in _VALUES or value is None else (value, node)

    def binary(self, node: Node) -> Iterator[Width]:
        left, right = node.kids
        means = self.meanings.of(left)
        number = self.number(right)
        size = any(n.kind == "name" and n.name == "blockDim" for n in left.walk())
        thread = bool(means & Means.THREAD)
        if number is not None:
            value = number[0]
            if (node.name in ("%", "%=") and value == 32 and thread) or (
                node.name in ("&", "&=") and value == 31 and thread
            ):
                yield self.made(Role.LANE, number, means)
            elif (node.name in ("/", "/=") and value == 32) or (node.name in (">>", ">>=") and value == 5):
                if thread:
                    yield self.made(Role.WARP, number, means)
                elif size:
                    yield self.made(Role.COUNT, number, means)
            elif node.name in _COMPARE and value in (31, 32):
                inner = means & (Means.LANE | Means.THREAD) and not means & Means.BLOCK
                if inner or self.is_offset(left) or (size and left.kind == "member"):
                    yield self.made(Role.BOUND, number, means)
            elif node.name in ("+=", "-=") and value == 32 and means & (Means.LANE | Means.THREAD):
                yield self.made(Role.STRIDE, number, means)
        if node.name == "=" and self.is_offset(left):
            first = self.first_offset(right)
            if first is not None:
                yield self.made(Role.SHUFFLE, first)
        mirrored = self.number(left)
        if mirrored is not None and node.name == "*" and mirrored[0] == 32 and self.meanings.of(right) & Means.WARP:
            yield self.made(Role.WARP, mirrored, self.meanings.of(right))
        if number is not None and node.name == "*" and number[0] == 32 and means & Means.WARP:
            yield self.made(Role.WARP, number, means)

    def first_offset(self, node: Node) -> tuple[int, Node] | None:
        """The number that a loop over a shuffle's offsets starts with: 16, 32, or the 32 of `32 / 2` and `32 >> 1`."""
        if node.kind == "binary" and node.name in ("/", ">>") and len(node.kids) == 2:
            node = node.kids[0]
        number = self.number(node)
        return number if number is not None and number[0] in (16, 32) else None

    def is_offset(self, node: Node) -> bool:
        return node.kind == "name" and node.refers in self.offsets

    def variable(self, node: Node) -> Iterator[Width]:
        if not node.kids:
            return
        if "[" in node.type and node.refers in self.arrays:
            for kid in node.kids:
                for inner in (kid, *kid.kids):
                    number = self.number(inner)
                    if number is not None and number[0] == 32:
                        yield self.made(Role.PARTIALS, number)
                        return
        elif node.refers in self.offsets and node.kids[-1].kind in ("integer", "binary", "name"):
            number = self.first_offset(node.kids[-1])
            if number is not None:
                yield self.made(Role.SHUFFLE, number)
