"""How many threads of a row, or lanes of a warp, do anything: the others fail every test that guards an effect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.frontend import pointees
from hipport.rewrites.load_chain.turn import ARITHMETIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_SETS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_STEPS = frozenset({"++", "--", "p++", "p--"})
_METHODS = frozenset({"size", "data", "stride", "get"})
_CONSTANT = re.compile(rb"\b(?:const|constexpr|enum)\b[^;]*\Z")
_LEAVES = frozenset({"return", "continue", "break"})
_VALUES = frozenset(
    {"name", "member", "integer", "real", "character", "boolean", "unary", "binary", "assign", "index", "choose"}
    | {"cast", "call", "list", "variable"}
)


class Columns(NamedTuple):
    """`number` columns that the threads of a row in x take (`by_warp`: the lanes of 32); `at` is where it says so."""

    number: int
    by_warp: bool
    at: tuple[int, int]


class Lanes:
    """The statements of one kernel as those threads see them that have no column.

    `block` is the size of its blocks in x and y; `bound` what a template's parameters are, None where they differ.
    """

    def __init__(
        self,
        unit: Unit,
        body: Node,
        parameters: tuple[Node, ...],
        block: tuple[int, int],
        bound: Mapping[str, int | None],
    ) -> None:
        self._unit, self._body, self._block, self._bound = unit, body, block, bound
        self._types = pointees.declared((), body)
        self._parameters = {p.refers for p in parameters if "&" not in p.type}
        changed = {n.kids[0].refers for n in body.walk() if _changes(n) and n.kids[0].kind == "name"}
        taken = {n.kids[0].refers for n in body.walk() if n.kind == "unary" and n.name == "&"}
        taken |= {
            argument.refers
            for call in body.walk()
            if call.kind == "call" and not ARITHMETIC.fullmatch(pointees.called(call, unit.text.code) or call.name)
            for argument in call.kids
            if argument.kind == "name" and "const" not in self._types.get(argument.refers, "").split()
        }  # a function may take it by reference
        self._fixed = {
            n.refers: n.kids[-1]
            for n in body.walk()
            if n.kind == "variable" and n.kids and n.refers not in changed | taken and "&" not in n.type
        }
        self._found: list[Columns] = []

    def columns(self) -> Columns | None:
        """The columns; None where other threads do something too, or all threads have a column."""
        idle = self._statements(self._body.kids)
        kinds = {found.by_warp for found in self._found}
        if not idle or len(kinds) != 1:
            return None
        widest = max(self._found)
        if widest.by_warp and (self._block[1] != 1 or widest.number >= 32):
            return None
        return widest if widest.by_warp or widest.number < self._block[0] else None

    def _statements(self, nodes: Iterable[Node]) -> bool:
        """Whether a thread without a column does nothing in a sequence of statements."""
        for node in nodes:
            if self._leaves(node):
                return True
            if not self._idle(node):
                return False
        return True

    def _leaves(self, node: Node) -> bool:
        """Whether a statement is `if (lane >= columns) return;`."""
        if node.kind != "if" or len(node.kids) != 2 or node.kids[0].name != ">=" or len(node.kids[0].kids) != 2:
            return False
        then = node.kids[1].kids if node.kids[1].kind == "block" else (node.kids[1],)
        return len(then) == 1 and then[0].kind == "return" and self._bounds(*node.kids[0].kids)

    def _idle(self, node: Node) -> bool:
        if node.kind == "block":
            return self._statements(node.kids)
        if node.kind == "declare":
            return all(self._pure(kid) for variable in node.kids for kid in variable.kids)
        if node.kind == "if":
            narrow = self._narrow(node.kids[0])
            return self._pure(node.kids[0]) and all(map(self._idle, node.kids[2:] if narrow else node.kids[1:]))
        if node.kind == "for":
            if self._row(node):
                return all(self._idle(kid) for kid in node.kids[:1])
            return all(map(self._idle, node.kids))
        if node.kind in ("while", "do"):
            return all(map(self._idle, node.kids))
        if node.kind in _LEAVES or (node.kind == "other" and not node.kids):
            return True
        return node.kind in _VALUES and self._pure(node)

    def _row(self, loop: Node) -> bool:
        """Whether a loop is `for (c = lane; c < columns; ...)`."""
        if len(loop.kids) < 4 or loop.kids[1].name != "<" or len(loop.kids[1].kids) != 2:
            return False
        first = loop.kids[0].kids[0] if loop.kids[0].kind == "declare" and loop.kids[0].kids else loop.kids[0]
        if first.kind == "variable" and first.kids:
            counter, start = first.refers, first.kids[-1]
        elif first.kind == "binary" and first.name == "=" and first.kids[0].kind == "name":
            counter, start = first.kids[0].refers, first.kids[1]
        else:
            return False
        left, right = loop.kids[1].kids
        return left.kind == "name" and left.refers == counter >= 0 and self._bounds(start, right)

    def _narrow(self, condition: Node) -> bool:
        """Whether a condition holds only for threads that have a column."""
        if condition.kind == "binary" and condition.name == "&&":
            return any(map(self._narrow, condition.kids))
        if condition.kind == "binary" and condition.name in ("<", ">") and len(condition.kids) == 2:
            left, right = condition.kids if condition.name == "<" else reversed(condition.kids)
            return self._bounds(left, right)
        if condition.kind == "binary" and condition.name == "==" and len(condition.kids) == 2:
            return self._bounds(*condition.kids, past=1)
        return False

    def _bounds(self, lane: Node, columns: Node, past: int = 0) -> bool:
        """Whether a lane is compared with a number of columns; keeps what it is (`past`: what it comes short of it)."""
        kind, count = self._lane(lane), self._constant(columns)
        if kind not in ("x", "warp") or count is None or count + past < 1:
            return False
        by_warp = kind == "warp" and self._block[0] > 32
        self._found.append(Columns(count + past, by_warp, (columns.start, columns.end)))
        return True

    def _lane(self, node: Node) -> str:
        """What a value is: `x` of the thread, its `warp` lane, its number in the `grid`; empty for anything else."""
        while node.kind == "cast" and len(node.kids) == 1:
            node = node.kids[0]
        if node.kind == "member" and node.name == "x" and node.kids and node.kids[0].name == "threadIdx":
            return "x"
        if node.kind == "name" and node.refers in self._fixed:
            return self._lane(self._fixed[node.refers])
        if node.kind != "binary" or len(node.kids) != 2:
            return ""
        left, right = node.kids
        if node.name == "+" and "x" in (self._lane(left), self._lane(right)):
            rest = right if self._lane(left) == "x" else left
            return "grid" if self._block[0] % 32 == 0 and self._block[1] == 1 and _of_blocks(rest) else ""
        warp = (node.name, self._constant(right)) in (("%", 32), ("&", 31))
        return "warp" if warp and self._lane(left) in ("x", "grid") else ""

    def _constant(self, node: Node) -> int | None:
        while node.kind == "cast" and len(node.kids) == 1:
            node = node.kids[0]
        if node.kind == "name" and node.refers in self._fixed:
            return self._constant(self._fixed[node.refers])
        if node.kind == "member" and node.name in "xy" and node.kids and node.kids[0].name == "blockDim":
            return self._block["xy".index(node.name)]
        if node.kind == "binary" and node.name in ("/", "*", "+", "-") and len(node.kids) == 2:
            left, right = map(self._constant, node.kids)
            if left is None or right is None or left < 0 or (node.name == "/" and right < 1):
                return None
            return {"/": left // max(right, 1), "*": left * right, "+": left + right, "-": left - right}[node.name]
        if node.kind == "integer":
            return self._unit.macros.value(node.name)
        if node.kind != "name" or node.refers in self._types or node.refers in self._parameters:
            return None
        if node.name in self._bound:
            return self._bound[node.name]
        told = self._unit.text.code[max(0, node.refers - 200) : max(0, node.refers)]
        constant = node.refers < 0 or _CONSTANT.search(told) is not None
        return self._unit.macros.value(node.name) if constant else None

    def _pure(self, node: Node) -> bool:
        """Whether an expression changes nothing but variables of the thread's own."""
        return all(self._harmless(below) for below in node.walk())

    def _harmless(self, node: Node) -> bool:
        if node.kind == "call":
            name = pointees.called(node, self._unit.text.code) or node.name
            method = bool(node.kids) and node.kids[0].kind == "member" and name in _METHODS
            return method or ARITHMETIC.fullmatch(name) is not None
        if not _changes(node):
            return node.kind in _VALUES
        place = node.kids[0]
        while place.kind == "member" and place.kids:
            place = place.kids[0]
        shown = self._types.get(pointees.source(place).refers, "")
        if place.kind == "name":
            return (bool(shown) and "&" not in shown) or place.refers in self._parameters
        return place.kind == "index" and "[" in shown and "*" not in shown


def _changes(node: Node) -> bool:
    given = node.kind in ("assign", "binary") and node.name in _SETS
    return bool(node.kids) and (given or (node.kind == "unary" and node.name in _STEPS))


def _of_blocks(node: Node) -> bool:
    """Whether a value is `blockIdx.x * blockDim.x`."""
    parts = [kid.kids[0].name for kid in node.kids if kid.kind == "member" and kid.name == "x" and kid.kids]
    return node.kind == "binary" and node.name == "*" and sorted(parts) == ["blockDim", "blockIdx"]
