"""Calls by name, also those that depend on a template's parameter, and what their addresses point to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node

_CALLED = re.compile(rb"(?:::\s*|\w+\s*::\s*)*([A-Za-z_]\w*)\s*(?:<[^;{}()]*>)?\s*\(")
_NO_TYPE = frozenset({"const", "volatile", "__restrict", "__restrict__", "__shared__", "extern", "static"})


def called(node: Node, code: bytes) -> str:
    """The name that a call calls; empty for other nodes, and for calls of operators."""
    if node.kind != "call" or node.start < 0 or node.macro:
        return ""
    if node.name:
        return node.name
    found = _CALLED.match(code, node.start, node.end)
    return found.group(1).decode() if found and _callee(node) else ""


def _callee(call: Node) -> bool:
    """Whether the first kid of a call is the name that it calls."""
    first = call.kids[0] if call.kids else None
    return first is not None and first.kind == "name" and first.start == call.start and first.name in ("", call.name)


def arguments(call: Node) -> tuple[Node, ...]:
    """The arguments of a call, without the name that it calls."""
    return call.kids[1:] if _callee(call) else call.kids


def found(body: Node, code: bytes, names: frozenset[str]) -> Iterator[tuple[str, Node]]:
    """The calls of some names in a body, each with its name."""
    for node in body.walk():
        name = called(node, code)
        if name in names:
            yield name, node


def declared(parameters: tuple[Node, ...], body: Node) -> dict[int, str]:
    """The type of each variable and parameter of a function by where it is declared."""
    nodes = (*parameters, *body.walk())
    return {n.refers: n.type for n in nodes if n.kind in ("variable", "parameter")}


def source(address: Node) -> Node:
    """The variable, cast or call that an address counts from: `y` of `&y[i]`, `y + i` and `y`."""
    node = address
    while node.kids:
        operator = node.kind == "call" and len(node.kids) == 3 and node.kids[1].name in ("", "operator+", "operator-")
        if not (node.kind == "index" or (node.kind in ("unary", "binary") and node.name in "&+-") or operator):
            break
        node = node.kids[0]
    return node


def type_of(address: Node, types: dict[int, str]) -> str:
    """The type, as it is declared, of what an address counts from; empty where that is no variable and no cast."""
    node = source(address)
    if node.kind == "cast":
        return node.type
    return types.get(node.refers, "") if node.kind == "name" else ""


def pointee(address: Node, types: dict[int, str]) -> str:
    """The type that an address points to, without qualifiers; empty where it does not show."""
    shown = type_of(address, types)
    taken = address.kind == "unary" and address.name == "&"
    if "*" not in shown and "[" not in shown and not taken:
        return ""
    words = re.sub(r"\[[^\]]*\]|[*&]", " ", shown).split()
    return " ".join(word for word in words if word not in _NO_TYPE)
