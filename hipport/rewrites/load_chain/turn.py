"""What one turn of a loop does: whether it only adds up what it loads at addresses from memory, and how it counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import pointees

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

ARITHMETIC = re.compile(
    r"|__ldg|operator\S+|f?ma[fx]?f?|f?minf?|f?absf?|__?(?:half|bfloat16|low|high)\w*2?float2?|__h(?:add|mul|fma)2?"
    r"|make_\w+|(?:__)?expf?|r?sqrtf?|__f(?:add|mul|maf)_rn|(?:__)?(?:half2?|nv_bfloat162?)|(?:float|double|u?int)[234]?"
)
_LEAVES = frozenset({"while", "do", "switch", "break", "continue", "return", "goto", "asm", "lambda"})
_CHANGES = frozenset({"++", "--", "p++", "p--"})
_SUMS = frozenset({"+", "-"})
_FUSED = re.compile(r"f?maf?|__f(?:add|maf)_rn|__h(?:add|fma)2?")
_FEW = 8  # turns of a loop inside, which the compiler takes apart first


class Turn:
    """One loop of a device function; `types` are those of its variables and parameters by where they are declared."""

    def __init__(self, loop: Node, types: dict[int, str], unit: Unit) -> None:
        self._loop, self._types, self._code, self._macros = loop, types, unit.text.code, unit.macros
        self._body = loop.kids[0 if loop.kind == "do" else -1]
        self._header = [kid for kid in loop.kids if kid is not self._body]
        self._inside = list(self._body.walk())

    def plain(self) -> bool:
        """Whether it stores nothing, leaves nowhere, calls nothing but arithmetic and holds loops of few turns."""
        return not any(
            node.kind in _LEAVES
            or self._stores(node)
            or self._calls(node)
            or (node.kind == "for" and not self._few(node))
            for node in self._inside
        )

    def counted(self) -> bool:
        """Whether it goes on by one with each turn: the compiler then knows the number of turns when it starts."""
        if self._loop.kind == "for":
            return len(self._header) >= 2 and self._by_one(self._header[-1])
        names = {node.refers for kid in self._header for node in kid.walk() if node.kind == "name"}
        steps = [node for node in self._inside if self._target(node) in names - {-1}]
        always = self._body.kids if self._body.kind == "block" else (self._body,)
        return len(steps) == 1 and self._by_one(steps[0]) and any(step is steps[0] for step in always)

    def open_ended(self) -> bool:
        """Whether the number of turns is known at run time only."""
        bounds = [node for kid in self._header for node in kid.walk()]
        counters = {node.refers for node in bounds if node.kind == "variable"}
        counters |= {self._target(node) for node in (*bounds, *self._inside)} - {-1}
        names = [n for n in bounds if n.kind == "name" and n.refers in self._types and n.refers not in counters]
        return (
            any(n.kind == "index" for n in bounds)
            or any("const" not in self._types[n.refers].split() for n in names)
            or any(self._types[n.refers].startswith("const") for n in names if 0 <= n.refers < self._loop.start)
        )

    def chained(self) -> str:
        """The type of what it loads at a place that it loads too; empty where it does not, or turns are chained."""
        loaded: set[int] = set()
        for node in self._inside:
            given = node.kids[-1] if node.kids and (node.kind == "variable" or self._sign(node) == "=") else None
            if given is None or not any(self._loads(below) for below in given.walk()):
                continue
            name = node.refers if node.kind == "variable" else node.kids[0].refers
            if any(_uses(name, _address(below)) for below in given.walk() if self._loads(below)):
                return ""  # `k = next[k]`: a turn waits for the one before it
            loaded.add(name)
        for node in self._inside:
            within = [below for kid in _address(node) for below in kid.walk()] if self._loads(node) else []
            if any(self._loads(below) or (below.kind == "name" and below.refers in loaded - {-1}) for below in within):
                return self._types.get(pointees.source(_base(node)).refers, "?")
        return ""

    def adds(self) -> bool:
        """Whether it adds to a variable of the function's own."""
        return any(self._adds(node) for node in self._inside)

    def _sign(self, node: Node) -> str:
        """The operator of a node, also where it depends on a template's parameter; empty where it is none."""
        if node.kind in ("assign", "binary", "unary"):
            return node.name
        if node.kind == "call" and len(node.kids) == 3 and node.kids[1].kind == "name" and not node.kids[1].name:
            return self._code[node.kids[1].start : node.kids[1].end].decode("utf-8", "replace")
        return ""

    def _target(self, node: Node) -> int:
        """Where the variable is declared that a node changes; -1 where it changes none."""
        sign = self._sign(node)
        changes = sign in _CHANGES or (sign.endswith("=") and sign not in ("==", "<=", ">=", "!="))
        return node.kids[0].refers if changes and node.kids and node.kids[0].kind == "name" else -1

    def _by_one(self, node: Node) -> bool:
        if node.kind == "binary" and node.name == ",":
            return all(map(self._by_one, node.kids))
        sign = self._sign(node)
        one = sign in ("+=", "-=") and node.kids[-1].kind == "integer" and node.kids[-1].name == "1"
        return sign in _CHANGES or one

    def _few(self, loop: Node) -> bool:
        """Whether a loop has few turns, of a constant number."""
        bound = loop.kids[1].kids[-1] if len(loop.kids) == 4 and loop.kids[1].name in ("<", "<=", "!=") else None
        value = self._macros.value(bound.name) if bound is not None and bound.kind in ("integer", "name") else None
        hidden = bound is not None and bound.refers in self._types and "const" not in self._types[bound.refers]
        return value is not None and value <= _FEW and not hidden and self._by_one(loop.kids[2])

    def _stores(self, node: Node) -> bool:
        """Whether a node changes memory, or anything that is no variable or array of the function's own."""
        sign = self._sign(node)
        if sign not in _CHANGES and (not sign.endswith("=") or sign in ("==", "<=", ">=", "!=")):
            return False
        place = _base(node.kids[0])
        shown = self._types.get(pointees.source(place).refers, "")
        if place.kind == "name":
            return not shown or "&" in shown
        return place.kind != "index" or "[" not in shown or "*" in shown or "__shared__" in shown

    def _calls(self, node: Node) -> bool:
        """Whether a node calls something that is not known to be arithmetic."""
        return node.kind == "call" and ARITHMETIC.fullmatch(pointees.called(node, self._code) or node.name) is None

    def _loads(self, node: Node) -> bool:
        """Whether a node reads global memory through a pointer; a volatile one is read in its turn in any case."""
        if not (node.kind == "index" or (node.kind == "unary" and node.name == "*")):
            return False
        place = pointees.source(node.kids[0] if node.kind == "unary" else node)
        if place.kind == "member":
            owner = _base(place)
            return owner.kind == "name" and "*" not in self._types.get(owner.refers, "*")
        shown = self._types.get(place.refers, "")
        return "*" in shown and "volatile" not in shown

    def _adds(self, node: Node) -> bool:
        sign = self._sign(node)
        if sign in ("+=", "-="):
            return self._types.get(pointees.source(_base(node.kids[0])).refers, "*").count("*") == 0
        if sign != "=" or node.kids[0].kind != "name":
            return False
        return _uses(node.kids[0].refers, self._terms(node.kids[-1]))

    def _terms(self, node: Node) -> Iterable[Node]:
        """What a sum, or a product and sum in one, adds; nothing where a value is no sum."""
        summed = self._sign(node) in _SUMS and len(node.kids) > 1
        fused = node.kind == "call" and _FUSED.fullmatch(pointees.called(node, self._code) or node.name) is not None
        return node.kids if summed or fused else ()


def _address(load: Node) -> tuple[Node, ...]:
    """What says where a load reads."""
    return load.kids if load.kind == "unary" else load.kids[1:]


def _uses(declared: int, nodes: Iterable[Node]) -> bool:
    return any(below.kind == "name" and below.refers == declared for node in nodes for below in node.walk())


def _base(place: Node) -> Node:
    """The variable or element that a member is of."""
    while place.kind == "member" and place.kids:
        place = place.kids[0]
    return place
