"""Whether a function's warp code may take the wave's own width: every number that means the warp must be known to.

What is proved: warps only split a block to reduce in it. Nothing outside of LDS is addressed by a lane's or a warp's
number, no ballot, vote or match word is kept, shuffles go by a loop from half the width down or to lane 0, partial
results are read no further than they were written, no warp's own result is stored (reduced.py), nothing else is done
to it before it is the block's (partial.py), and all launches have whole 64-lane waves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means
from hipport.frontend.widths import find

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.frontend.launches import Launch
    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node

WAVE = 64  # the widest wave; a block of whole 64-lane waves is one of whole 32-lane waves too
_WORDS = ("__ballot", "__any", "__all", "__match_", "__activemask", "__reduce_", "__uni")
_LOOPED = ("__shfl_down", "__shfl_up", "__shfl_xor")
_COMPARE = ("<", ">", "<=", ">=", "==", "!=")
_PRIMARY = frozenset({"name", "member", "call", "index"})


def launches_fit(launches: Iterable[Launch]) -> str:
    """Why the launches do not suit, or empty: there must be some, with constant blocks of whole waves."""
    count = 0
    for launch in launches:
        count += 1
        threads = 1
        for extent in launch.block:
            if extent is None:
                return "the size of its block is not constant"
            threads *= extent
        if threads % WAVE or launch.block[0] is None or launch.block[1] != 1 or launch.block[2] != 1:
            return "its block is no row of whole 64-lane waves"
    return "" if count else "no launch of it is seen"


def function_fits(body: Node, parameters: tuple[Node, ...], macros: Macros, data: bytes) -> str:
    """Why a device function does not suit, or empty."""
    proof = _Proof(Meanings(body, parameters, macros), body, parameters)
    for width in find(body, parameters, macros):
        if width.global_index:
            return "a warp's number in the grid is taken"
        written = data[width.start : width.end]
        if width.macro and not written.decode("utf-8", "replace").isidentifier():
            return "a macro's body takes a number for the warp"
    return next((reason for node in body.walk() if (reason := proof.reject(node))), "")


class _Proof:
    def __init__(self, meanings: Meanings, body: Node, parameters: tuple[Node, ...]) -> None:
        self.meanings = meanings
        nodes = [n for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")]
        self.types = {n.refers: n.type for n in nodes}
        self.guarded = any(self.bounds_partials(n) for n in body.walk())

    def reject(self, node: Node) -> str:
        """What is wrong with one node, or empty."""
        if node.kind == "asm":
            return "inline assembly"
        if node.kind == "call":
            return self.call(node)
        if node.kind == "index" and len(node.kids) == 2:
            return self.index(node)
        if node.kind == "binary" and len(node.kids) == 2:
            return self.binary(node)
        return ""

    def call(self, node: Node) -> str:
        if node.name.startswith(_WORDS):
            return f"`{node.name}` gives or takes a word with a bit a lane"
        if node.macro and node.name.startswith("__shfl"):
            return "a shuffle stands in a macro"
        arguments = node.kids[2:] if node.name.endswith("_sync") else node.kids[1:]
        if node.name.startswith(_LOOPED) and len(arguments) > 1:
            offset = self.meanings.constant(arguments[1])
            return "a shuffle by a constant offset" if offset is not None else ""
        if node.name in ("__shfl_sync", "__shfl") and len(arguments) > 1:
            lane = self.meanings.constant(arguments[1])
            return "" if lane == 0 else "a shuffle from a lane other than 0"
        if node.name.startswith(("tiled_partition", "thread_rank", "meta_group")):
            return "a cooperative group of 32"
        return ""

    def index(self, node: Node) -> str:
        means = self.meanings.of(node.kids[1])
        base = node.kids[0].kids[0] if node.kids[0].kind == "index" and node.kids[0].kids else node.kids[0]
        shared = base.kind == "name" and "__shared__" in self.types.get(base.refers, "")
        if not shared:
            return "memory is addressed by a lane's or a warp's number" if means & (Means.LANE | Means.WARP) else ""
        if means & Means.LANE and not self.guarded:
            return "partial results are read by lane without a bound"
        return ""

    def bounds_partials(self, node: Node) -> bool:
        """Whether a condition compares a lane or a thread with the number of warps."""
        if node.kind != "binary" or node.name not in ("<", "<=") or len(node.kids) != 2:
            return False
        means = self.meanings.of(node.kids[0])
        counts = any(n.kind == "name" and n.name == "blockDim" for n in node.kids[1].walk())
        return bool(means & (Means.LANE | Means.THREAD)) and counts

    def binary(self, node: Node) -> str:
        left, right = node.kids
        means = self.meanings.of(left)
        value = self.meanings.constant(right)
        if node.name in ("*", "+") and any(kid.kind == "name" and kid.name == "warpSize" for kid in node.kids):
            other = left if right.name == "warpSize" else right
            if node.name == "+" or not self.meanings.of(other) & Means.WARP:
                return "`warpSize` has a part in more than splitting a block"
        if node.name == ">>" and value == 5 and means & Means.THREAD and left.kind not in _PRIMARY:
            return "`>> 5` of a sum"
        if node.name in _COMPARE and means & (Means.LANE | Means.WARP) and value not in (None, 0, 31, 32):
            return f"a lane's or a warp's number is compared with {value}"
        if node.name in ("%", "&") and means & Means.LANE and not means & Means.THREAD:
            return "a lane's number is split again"
        return ""
