"""How an index changes from thread to thread: its factors of threadIdx.x and threadIdx.y."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.tree import Node

_DEPTH = 8
_SETS = frozenset({"=", "*=", "/=", "%=", ">>=", "<<=", "&=", "|=", "^="})
_STEPS = frozenset({"+=", "-="})  # `++` and `--` go on by one in all threads


class Coefficients:
    """The factors of one function's expressions.

    A variable that is set more than once has none, unless all threads add the same to it: a loop's variable.
    """

    def __init__(self, body: Node) -> None:
        self._values: dict[int, Node | None] = {}
        for node in body.walk():
            if node.kind == "variable":
                self._values[node.refers] = node.kids[-1] if node.kids else None
        for node in body.walk():
            if node.kids and node.kids[0].kind == "name" and node.kind in ("assign", "binary"):
                stepped = node.name in _STEPS and self._alike(node.kids[-1], node.kids[0].refers)
                if node.name in _SETS or (node.name in _STEPS and not stepped):
                    self._values[node.kids[0].refers] = None

    def _alike(self, step: Node, variable: int) -> bool:
        """Whether a step is the same in all threads, and not worked out from the variable itself."""
        itself = any(node.kind == "name" and node.refers == variable for node in step.walk())
        return not itself and self.of(step) == (0, 0)

    def of_use(self, use: Node) -> tuple[int, int, int, int] | None:
        """The factors (row by x, row by y, column by x, column by y) of `tile[row][column]`; None where one is open."""
        row, column = self.of(use.kids[0].kids[1]), self.of(use.kids[1])
        return None if row is None or column is None else (*row, *column)

    def of(self, node: Node, depth: int = 0) -> tuple[int, int] | None:
        """The factors of an expression; a loop's variable is taken to be the same in all threads."""
        if depth > _DEPTH:
            return None
        if node.kind == "integer":
            return 0, 0
        if (
            node.kind == "member"
            and node.kids
            and node.kids[0].name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
        ):
            if node.kids[0].name != "threadIdx":
                return 0, 0
            return {"x": (1, 0), "y": (0, 1)}.get(node.name, (0, 0))
        if node.kind == "name":
            value = self._values.get(node.refers)
            return self.of(value, depth + 1) if value is not None else self._open(node)
        if node.kind == "cast" and node.kids:
            return self.of(node.kids[-1], depth + 1)
        if node.kind == "binary" and len(node.kids) == 2:
            return self._binary(node, depth)
        return None

    def _open(self, node: Node) -> tuple[int, int] | None:
        """A name without one value: a parameter or a constant does not depend on the thread; a variable may."""
        return (0, 0) if node.refers not in self._values else None

    def _binary(self, node: Node, depth: int) -> tuple[int, int] | None:
        left, right = (self.of(kid, depth + 1) for kid in node.kids)
        if left is None or right is None:
            return None
        if node.name in ("+", "-"):
            sign = 1 if node.name == "+" else -1
            return left[0] + sign * right[0], left[1] + sign * right[1]
        if node.name == "*":
            for factor, other in ((node.kids[0], right), (node.kids[1], left)):
                if factor.kind == "integer" and factor.name.isdigit():
                    return other[0] * int(factor.name), other[1] * int(factor.name)
        return (0, 0) if left == right == (0, 0) else None
