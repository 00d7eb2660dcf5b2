"""How many bins an index can mean, and whether it is proved to stay among them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.rewrites.atomic_tree import fields

if TYPE_CHECKING:
    from hipport.frontend.meaning import Meanings
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_BYTES = frozenset({"unsigned char", "uchar", "uint8_t", "std::uint8_t"})
_SIGNED_BYTES = frozenset({"char", "signed char", "int8_t", "std::int8_t"})
_SHORTS = frozenset({"unsigned short", "ushort", "uint16_t", "std::uint16_t"})
_WORDS = frozenset({"unsigned", "unsigned int", "uint", "uint32_t", "std::uint32_t"})
_LONGS = frozenset({"unsigned long", "unsigned long long", "unsigned long long int", "uint64_t", "size_t"})
_PLAIN = frozenset({"int", "short", "int32_t", "int16_t"}) | _BYTES | _SIGNED_BYTES | _SHORTS
_VECTOR = re.compile(r"(uchar|ushort|uint|char|short|int)[234]")
_PARTS = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int"} | {
    name: name for name in ("char", "short", "int")
}
_BUILTINS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_BY_VALUE = re.compile(r"(?:min|max|abs)\Z|(?:gpuA|a)tomic|__")  # functions that change no argument that is a number
_BYTE = 256
_MOST = 1 << 20


@dataclass(frozen=True, slots=True)
class Bound:
    """An index is below `count`, which is written `text`; `doubt` is why that is no proof (empty: it is one)."""

    count: int
    text: str
    doubt: str = ""


class Bounds:
    """What is known of the values of one kernel; `changed` are the variables that get more than their first value."""

    def __init__(self, unit: Unit, body: Node, types: dict[int, str], meanings: Meanings, changed: set[int]) -> None:
        self._unit = unit
        self._body = body
        self._types = types
        self._meanings = meanings
        calls = (n for n in body.walk() if n.kind == "call" and not _BY_VALUE.match(pointees.called(n, unit.text.code)))
        given = (kid for call in calls for kid in pointees.arguments(call) if kid.kind == "name")
        self._changed = changed | {kid.refers for kid in given}
        self._values = {n.refers: n.kids[-1] for n in body.walk() if n.kind == "variable" and n.kids}

    def made_of(self, index: Node) -> Node:
        """What a variable is set to, where that is once only; else the expression itself."""
        if index.kind != "name" or index.refers in self._changed:
            return index
        return self._values.get(index.refers, index)

    def constant(self, node: Node) -> int | None:
        """The value of a constant expression, none where a variable of the kernel is part of it."""
        if any(n.kind == "name" and n.refers in self._types for n in node.walk()):
            return None
        found = self._meanings.constant(node)
        if found is None and 0 <= node.start < node.end and node.kind in ("binary", "cast"):
            return self._unit.macros.value(self._unit.text.word(node.start, node.end))
        return found

    def of(self, index: Node, path: tuple[Node, ...]) -> Bound | None:
        """The bound of an index where it is used; None where it has none that shows. `path` is what stands around."""
        made = self.made_of(index)
        kind = self._kind(index)
        if kind in _BYTES | _SIGNED_BYTES or self._kind(made) in _BYTES | _SIGNED_BYTES:
            unsigned = kind in _BYTES or (kind not in _SIGNED_BYTES and self._kind(made) in _BYTES)
            return Bound(_BYTE, "256", "" if unsigned else "a byte with a sign may be negative")
        return self._guarded(index, path) or self._computed(made)

    def _computed(self, node: Node) -> Bound | None:
        while node.kind == "cast" and node.kids and self._kind(node) not in _BYTES | _SIGNED_BYTES:
            node = node.kids[-1]
        if node.kind == "binary" and len(node.kids) == 2:
            return self._of_operator(node, *node.kids)
        given = pointees.arguments(node) if node.kind == "call" else ()
        if node.name == "min" and len(given) == 2:
            for value, limit in (given, given[::-1]):
                most = self.constant(limit)
                if most is not None and most >= 0:
                    return Bound(most + 1, self._above(limit, most), self._sign(value))
        return None

    def _of_operator(self, node: Node, left: Node, right: Node) -> Bound | None:
        if node.name == "&":
            for side in (right, left):
                mask = self.constant(side)
                if mask is not None:
                    return Bound(mask + 1, self._above(side, mask)) if mask >= 0 else None
        size = self.constant(right)
        if node.name == "%" and size is not None and size > 0:
            return Bound(size, self._written(right, size), self._sign(left))
        if node.name == ">>" and size is not None and self._kind(left) in _WORDS and 0 <= size < 32:
            count = 1 << (32 - size)
            return Bound(count, str(count)) if count <= _MOST else None
        return None

    def _sign(self, value: Node) -> str:
        return "" if self.natural(value) else "its index may be negative"

    def _written(self, node: Node, value: int) -> str:
        """A constant as the source has it, so that it follows a change there."""
        text = self._unit.text.word(node.start, node.end).strip() if 0 <= node.start < node.end else ""
        known = bool(text) and self._unit.macros.value(text) == value
        return text if known and not text[:1].isdigit() else str(value)

    def _above(self, node: Node, value: int) -> str:
        text = self._written(node, value)
        less = re.fullmatch(r"\(?\s*(\w+)\s*-\s*1u?\s*\)?", text)
        if less:
            return less.group(1)
        return str(value + 1) if text == str(value) else f"{text} + 1" if text.isidentifier() else f"({text}) + 1"

    def _kind(self, node: Node) -> str:
        """The type of a value, where it shows."""
        if node.kind == "name":
            shown = self._types.get(node.refers, "") if node.refers >= 0 else ""
        elif node.kind == "cast":
            shown = node.type
        elif node.kind == "index" or (node.kind == "unary" and node.name == "*"):
            inner = node.kids[0] if node.kind == "unary" else node
            return pointees.pointee(inner, self._types) or fields.element(self._unit, inner, self._types)
        elif node.kind == "member" and node.kids:
            shown = self._of_member(node)
        else:
            return ""
        return " ".join(word for word in shown.split() if word not in ("const", "volatile"))

    def _of_member(self, node: Node) -> str:
        """The type of a member: of a vector type, of what CUDA numbers threads by, of a structure of the file."""
        if node.kids[0].name in _BUILTINS:
            return "unsigned int"
        vector = _VECTOR.fullmatch(self._kind(node.kids[0]))
        if vector and node.name in ("x", "y", "z", "w"):
            return _PARTS[vector.group(1)]
        return fields.declared(self._unit, node, self._types)

    def natural(self, node: Node) -> bool:
        """Whether a value is proved to be no less than 0."""
        if self._kind(node) in _BYTES | _SHORTS | _WORDS | _LONGS:
            return True
        if node.kind == "integer":
            return (self.constant(node) or 0) >= 0
        if node.kind == "cast":
            return self._small(node.kids[-1]) if node.kids else False
        if node.kind == "name":
            made = self.made_of(node)
            return made is not node and (self._small(made) or (made.kind == "integer" and self.natural(made)))
        if node.kind != "binary" or len(node.kids) != 2:
            return False
        left, right = node.kids
        if node.name == "&":
            return self.natural(left) or self.natural(right)
        if node.name in (">>", "/", "%"):
            return self.natural(left) and self.natural(right)
        return self._wide(node)

    def _small(self, node: Node) -> bool:
        """Whether a value is proved to lie from 0 to the greatest signed number."""
        if self._kind(node) in _BYTES | _SHORTS:
            return True
        bound = self._computed(node)
        return bound is not None and not bound.doubt and bound.count <= _MOST

    def _wide(self, node: Node) -> bool:
        """Whether a value has no sign because one of its parts has none."""
        if self._kind(node) in _WORDS | _LONGS:
            return True
        if node.kind != "binary" or len(node.kids) != 2 or node.name not in ("+", "-", "*", "^", "|", "<<", "&"):
            return False
        left, right = node.kids
        if node.name == "<<":
            return self._wide(left)
        return (self._wide(left) and self._joins(right)) or (self._wide(right) and self._joins(left))

    def _joins(self, node: Node) -> bool:
        """Whether a value takes the type of one without a sign that it meets."""
        return node.kind == "integer" or self._kind(node) in _PLAIN or self._wide(node)

    def _guarded(self, index: Node, path: tuple[Node, ...]) -> Bound | None:
        """The bound that conditions around a use give to a variable that does not change."""
        if index.kind != "name" or index.refers < 0 or index.refers in self._changed:
            return None
        limits = [limit for node, holds in _conditions(path) for limit in self._limits(node, index, holds=holds)]
        above = min((limit for limit in limits if limit[0] == "<"), key=lambda limit: limit[1], default=None)
        if above is None or above[1] <= 0:
            return None
        low = any(sign == ">=" and value >= 0 for sign, value, _ in limits)
        return Bound(above[1], above[2], "" if low else self._sign(index))

    def _limits(self, node: Node, index: Node, *, holds: bool) -> list[tuple[str, int, str]]:
        """What a comparison of a variable with a constant says: ("<", limit, its text) or (">=", limit, "")."""
        if node.kind != "binary" or len(node.kids) != 2 or node.name not in _NEGATED:
            return []
        sign = node.name if holds else _NEGATED[node.name]
        left, right = node.kids
        if right.kind == "name" and right.refers == index.refers:
            left, right, sign = right, left, _MIRRORED[sign]
        value = self.constant(right)
        if left.kind != "name" or left.refers != index.refers or value is None:
            return []
        if sign in ("<", "<="):
            more = sign == "<="
            return [("<", value + more, self._above(right, value) if more else self._written(right, value))]
        return [(">=", value + (sign == ">"), "")]


def _conditions(path: tuple[Node, ...]) -> list[tuple[Node, bool]]:
    """The conditions that hold (True) or do not (False) at the end of a path."""
    found: list[tuple[Node, bool]] = []
    for around, inner in itertools.pairwise(path):
        if around.kind == "if" and len(around.kids) > 1 and around.kids[1] is inner:
            found += [(part, True) for part in _parts(around.kids[0], "&&")]
        if around.kind == "block":
            before = [kid for kid in around.kids if kid.kind == "if" and kid.start < inner.start and len(kid.kids) == 2]
            leaving = [kid for kid in before if _continues(kid.kids[1])]
            found += [(part, False) for kid in leaving for part in _parts(kid.kids[0], "||")]
    return found


def _continues(node: Node) -> bool:
    last = node.kids[-1] if node.kind == "block" and node.kids else node
    return last.kind in ("continue", "return")


def _parts(condition: Node, joined: str) -> list[Node]:
    if condition.kind == "binary" and condition.name == joined:
        return [part for kid in condition.kids for part in _parts(kid, joined)]
    return [condition]
