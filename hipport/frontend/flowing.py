"""What partial.py follows: the kinds of values, and one function's own numbers and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.errors import HipportError
from hipport.frontend.meaning import Meanings, Means
from hipport.frontend.widths import Role, find

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node

Conditions = frozenset[str]  # of lane (the first of each warp), warp (the first), thread (the first), count (of warps)
PART, GATHERED = "part", "gathered"
ONE_LANE, ONE_THREAD = frozenset({"lane"}), frozenset({"lane", "warp"})
ATOMICS = {"atomicAdd": "+", "atomicMax": "max", "atomicMin": "min"}
ATOMICS |= {"atomicAnd": "&", "atomicOr": "|", "atomicXor": "^"}
_NUMBERS = frozenset({"%", "/", "&", ">>", "<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "<<", "^"})
_EXTREMES = {"fmaxf": "max", "fmax": "max", "max": "max", "fminf": "min", "fmin": "min", "min": "min"}


class RefusedError(HipportError):
    """It is not sure that the width of a warp makes no difference."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a value is to the warps of a block.

    `kind`: clean (no warp has a part in it), width (a lane's or a warp's number), part (a warp's own result), gathered
    (an entry of each warp), complete (the block's, in its first thread), moved (from another lane, which had a value of
    the kind `of`). `operator` is what reduces it.
    """

    kind: str
    operator: str = ""
    of: str = ""


CLEAN, WIDTH, COMPLETE = Value("clean"), Value("width"), Value("complete")


def joined(*values: Value) -> Value:
    """What an expression of several values is."""
    kinds = {v.kind for v in values}
    if kinds <= {"clean"}:
        return CLEAN
    if kinds <= {"clean", "width"}:
        return WIDTH
    if kinds <= {"clean", "complete"}:
        return COMPLETE
    if len(values) == 1:
        return values[0]
    raise RefusedError("something is done to a warp's own result")


def operator_of(name: str) -> str:
    """One name for the functions that take a maximum or minimum; any other is its own."""
    return _EXTREMES.get(name, name)


@dataclass(frozen=True, slots=True)
class Body:
    """One function: its syntax, and what its numbers mean."""

    name: str
    body: Node
    parameters: tuple[Node, ...]
    macros: Macros
    data: bytes
    meanings: Meanings = field(init=False)
    widths: dict[int, Role] = field(init=False)
    types: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        meanings = Meanings(self.body, self.parameters, self.macros)
        object.__setattr__(self, "meanings", meanings)
        object.__setattr__(self, "widths", {w.start: w.role for w in find(self.body, self.parameters, self.macros)})
        nodes = (*self.parameters, *self.body.walk())
        object.__setattr__(self, "types", {n.refers: n.type for n in nodes if n.kind in ("variable", "parameter")})

    def constant(self, node: Node) -> int | None:
        """The value of a constant expression."""
        return self.meanings.constant(node)

    def dependent(self, node: Node) -> str:
        """The operator of an expression whose type a template decides; else empty."""
        if node.kind != "call" or node.name or len(node.kids) != 3 or node.kids[1].name:
            return ""
        found = self.data[node.kids[0].end : node.kids[2].start].strip()
        return found.decode("utf-8", "replace") if found and not found.strip(b"+-*/%&|^<>=!") else ""

    def is_width(self, node: Node) -> bool:
        """Whether a name is a lane's or a warp's number, or the width."""
        return node.name == "warpSize" or bool(self.meanings.of(node) & (Means.LANE | Means.WARP))

    def is_warp(self, node: Node) -> bool:
        """Whether an expression is a warp's number alone."""
        means = self.meanings.of(node)
        return bool(means & Means.WARP) and not means & (Means.LANE | Means.BLOCK)

    def counts(self, node: Node) -> bool:
        """Whether an expression takes a lane or a warp out of a thread's number, or counts the warps of a block."""
        roles = (Role.LANE, Role.WARP, Role.COUNT)
        return node.kind == "binary" and any(
            self.widths.get(k.start) in roles or k.name == "warpSize" for k in node.kids
        )

    def check(self, node: Node) -> None:
        """Raises RefusedError where a number may mean the warp and is not known to."""
        if node.kind not in ("binary", "assign") or node.name.rstrip("=") not in _NUMBERS | {"", ">", "<", "!"}:
            return
        for kid in node.kids:
            value = self.constant(kid)
            if (value in (31, 32) or (value == 5 and ">>" in node.name)) and kid.start not in self.widths:
                raise RefusedError(f"what {value} means is not known")

    def conditions(self, node: Node, value: Callable[[Node], Value]) -> Conditions:
        """Which threads a condition lets through, if it tells lanes or warps apart."""
        if node.kind == "binary" and node.name == "&&":
            return self.conditions(node.kids[0], value) | self.conditions(node.kids[1], value)
        left = node.kids[0] if node.kids else node
        first = node.kind == "unary" and node.name == "!"
        first |= node.kind == "binary" and node.name == "==" and self.constant(node.kids[1]) == 0
        means = self.meanings.of(left)
        if first and not means & Means.BLOCK and means & (Means.LANE | Means.WARP | Means.THREAD):
            if means & Means.LANE and means & Means.WARP:
                raise RefusedError("lanes and warps are told apart together")
            return frozenset({"lane" if means & Means.LANE else "warp" if means & Means.WARP else "thread"})
        if (
            node.kind == "binary"
            and node.name == "<"
            and means & (Means.LANE | Means.THREAD)
            and not means & Means.BLOCK
        ):
            right = node.kids[1]
            if self.widths.get(right.start) is Role.BOUND or right.name == "warpSize":
                if means & Means.LANE:
                    raise RefusedError("a lane's number is compared with the width")
                return frozenset({"warp"})
            if value(right).kind == "width":
                return frozenset({"count"})
        found = value(node)
        if found.kind not in ("clean", "complete"):
            raise RefusedError("a condition depends on the width of a warp, or on its result")
        return frozenset()


def picked(body: Body, node: Node) -> str:
    """`max` or `min` of `a > b ? a : b` and its kin."""
    condition = node.kids[0]
    operator = condition.name or body.dependent(condition)
    sides = [condition.kids[0], condition.kids[-1]] if len(condition.kids) > 1 else []
    if operator not in ("<", ">", "<=", ">=") or any(n.kind != "name" for n in (*sides, *node.kids[1:])):
        raise RefusedError("lanes choose in a way that is not known")
    names = [n.refers for n in sides]
    if names == [n.refers for n in node.kids[1:]]:
        return "max" if operator[0] == ">" else "min"
    if names[::-1] == [n.refers for n in node.kids[1:]]:
        return "min" if operator[0] == ">" else "max"
    raise RefusedError("lanes choose in a way that is not known")
