"""How an index into memory changes with threadIdx.x and threadIdx.y, where a row may be of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.tree import Node

OPEN = 1 << 40  # a factor that is known at run time only
_DEPTH = 12
_SETS = frozenset({"=", "+=", "-=", "*=", "/=", "++", "--", "p++", "p--", ">>=", "<<="})


class Strides:
    """The factors of one function's expressions; a variable that is set more than once has none."""

    def __init__(self, body: Node) -> None:
        self._values: dict[int, Node | None] = {}
        for node in body.walk():
            if node.kind == "variable":
                self._values[node.refers] = node.kids[-1] if node.kids else None
        for node in body.walk():
            if node.name in _SETS and node.kids and node.kids[0].kind == "name":
                self._values[node.kids[0].refers] = None

    def of(self, node: Node, depth: int = 0) -> tuple[int, int] | None:
        """The factors (x, y) of an expression; None where it is no sum of products."""
        if depth > _DEPTH:
            return None
        if node.kind == "integer":
            return 0, 0
        if node.kind == "member" and node.kids:
            if node.kids[0].name != "threadIdx":
                return (0, 0) if node.kids[0].name in ("blockIdx", "blockDim", "gridDim") else None
            return {"x": (1, 0), "y": (0, 1)}.get(node.name)
        if node.kind == "name":
            value = self._values.get(node.refers, node)
            return None if value is None else (0, 0) if value is node else self.of(value, depth + 1)
        if node.kind == "cast" and node.kids:
            return self.of(node.kids[-1], depth + 1)
        return self._binary(node, depth) if node.kind == "binary" and len(node.kids) == 2 else None

    def _binary(self, node: Node, depth: int) -> tuple[int, int] | None:
        left, right = (self.of(kid, depth + 1) for kid in node.kids)
        if left is None or right is None:
            return None
        if node.name in ("+", "-"):
            sign = 1 if node.name == "+" else -1
            return _sum(left[0], sign * right[0]), _sum(left[1], sign * right[1])
        if node.name == "*" and (0, 0) in (left, right):
            factor, other = (node.kids[0], right) if left == (0, 0) else (node.kids[1], left)
            known = int(factor.name) if factor.kind == "integer" and factor.name.isdigit() else None
            return _times(other[0], known), _times(other[1], known)
        return (0, 0) if left == right == (0, 0) else None


def _sum(left: int, right: int) -> int:
    return OPEN if OPEN in (abs(left), abs(right)) else left + right


def _times(factor: int, known: int | None) -> int:
    if factor == 0:
        return 0
    return OPEN if known is None or factor == OPEN else factor * known
