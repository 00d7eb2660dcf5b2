"""Which statements a thread without work may run all the same: those that neither read memory nor change it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.tree import Node

_HARMLESS = frozenset(
    {"min", "max", "abs", "fminf", "fmaxf", "fabsf", "fmin", "fmax", "fabs", "sqrtf", "ceilf", "floorf"}
)
_SETS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_STEPS = frozenset({"++", "--", "p++", "p--"})
_OPAQUE = frozenset({"lambda", "asm", "other", "list"})
_SCALAR = re.compile(r"(?:const\s+|volatile\s+)*([A-Za-z_][\w:]*(?:\s+(?:int|long|char|short|double))*)(?:\s+const)?")


def is_pure(node: Node, data: bytes) -> bool:
    """Whether an expression reads no memory, calls nothing unknown and changes nothing but a loop's variable."""
    if node.kind == "index" or (node.kind == "unary" and node.name == "*"):
        return False
    if node.kind == "unary" and node.name == "&" and node.kids[0].kind == "index":
        return all(is_pure(kid, data) for kid in node.kids[0].kids)
    if node.kind == "member" and b"->" in data[node.start : node.end]:
        return False
    if node.kind == "call" and node.name not in _HARMLESS:
        return False
    if node.kind in _OPAQUE:
        return False
    return all(is_pure(kid, data) for kid in node.kids)


def sets(node: Node) -> bool:
    """Whether an expression gives its first operand a value."""
    given = node.kind in ("assign", "binary") and node.name in _SETS
    return bool(node.kids) and (given or (node.kind == "unary" and node.name in _STEPS))


def changed(node: Node) -> list[int]:
    """Where the variables are declared that a statement sets."""
    return [n.kids[0].refers for n in node.walk() if sets(n) and n.kids[0].kind == "name"]


def changes_only_locals(node: Node, data: bytes) -> bool:
    """Whether a statement only sets local variables, from values that need no memory."""
    if not sets(node) or node.kids[0].kind != "name":
        return node.kind in ("name", "integer") or (node.kind == "other" and not node.kids)
    return all(is_pure(kid, data) for kid in node.kids[1:])


def scalar(type_: str) -> str:
    """A type's name without qualifiers where a value of it can be made by `T()`; else empty."""
    found = _SCALAR.fullmatch(type_.strip())
    return found[1] if found and found[1] not in ("auto", "const", "void") else ""


def pointed(type_: str) -> bool:
    """Whether a type is a pointer."""
    return re.search(r"\*\s*(?:const|__restrict(?:__)?|\s)*\Z", type_) is not None
