"""Where every thread of a block may update one address: the atomics of a kernel that a block could join."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.meaning import Meanings, Means
from hipport.rewrites.own_atomic import collides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

# the atomic -> the function of the shim that joins it, and how a thread collects its own share
JOINED = {
    "atomicAdd": ("block_add", "+"),
    "gpuAtomicAdd": ("block_add", "+"),
    "gpuAtomicAddNoReturn": ("block_add", "+"),
    "gpuAtomicIncrement": ("block_add", "+"),
    "atomicSub": ("block_add", "-"),
    "atomicMin": ("block_min", "<"),
    "atomicMax": ("block_max", ">"),
    "atomicOr": ("block_or", "|"),
    "atomicAnd": ("block_and", "&"),
}
NAMES = frozenset(JOINED)
_STATEMENTS = frozenset({"block", "case", "default", "do"})
_ONE_THREAD = Means.THREAD | Means.LANE | Means.WARP
_BUILTINS = frozenset({"blockIdx", "blockDim", "gridDim"})
_CHANGING = frozenset({"=", "++", "--", "p++", "p--"})


@dataclass(frozen=True, slots=True)
class Site:
    """One atomic. `statement` is the statement of the kernel's own block that it stands in.

    `kind` is the type that is updated (empty: it does not show); `key` the address as written, without spaces;
    `base` where the variable is declared that the address counts from (-1: outside of the kernel).
    """

    name: str
    call: Node
    statement: Node
    address: Node
    key: str
    kind: str
    base: int


def find(unit: Unit, function: Function, body: Node) -> Iterator[Site]:
    """The atomics whose result nobody uses, on an address in global memory that is one for the block.

    Left out are those that a condition keeps to one thread of a block or of a warp.
    """
    for path, address, types in _shared_by_block(unit, function, body):
        call = path[-1]
        if not _unused(path):
            continue
        origin = _origin(address)
        key = "".join(unit.text.word(address.start, address.end).split())
        kind = pointees.pointee(address, types) or _global_kind(unit, origin)
        name = pointees.called(call, unit.text.code)
        yield Site(name, call, path[1], address, key, kind, origin.refers if origin.refers in types else -1)


def claims(unit: Unit, function: Function, body: Node) -> Iterator[Node]:
    """The atomics of a kernel that only ask whether they are the first: `atomicAdd(&n, 1) == 0`."""
    for path, _, _ in _shared_by_block(unit, function, body):
        around = next(node for node in reversed(path[:-1]) if node.kind != "cast")
        if around.kind == "binary" and around.name == "==" and "0" in [kid.name for kid in around.kids]:
            yield path[-1]


def _shared_by_block(
    unit: Unit, function: Function, body: Node
) -> Iterator[tuple[tuple[Node, ...], Node, dict[int, str]]]:
    """The atomics that no condition keeps to one thread, whose address in global memory is one for the block."""
    parameters = unit.tree.parameters[function.body]
    types = pointees.declared(parameters, body)
    meanings = Meanings(body, parameters, unit.macros)
    fixed = _Fixed(body, parameters)
    own = {f.name for f in unit.functions if f.name in NAMES and not collides(unit, f)}
    for path in _paths(body):
        call = path[-1]
        name = pointees.called(call, unit.text.code)
        given = pointees.arguments(call) if name in NAMES - own and _plain(unit, call, name) else ()
        if not given or len(path) < 2 or not unit.live(call.start) or _alone(path, meanings):
            continue
        origin = _origin(given[0])
        if origin.kind == "name" and "__shared__" not in types.get(origin.refers, "") and fixed.address(given[0]):
            yield path, given[0], types


def _plain(unit: Unit, call: Node, name: str) -> bool:
    """Whether a call names an atomic without a namespace (but `at::native::` and the like, of gpuAtomicAdd)."""
    written = unit.text.code[call.start : call.end]
    return name.startswith("gpu") or re.match(rb"(?:::\s*)?" + name.encode() + rb"\s*\(", written) is not None


def _origin(address: Node) -> Node:
    """The variable that an address counts from, casts looked through."""
    node = pointees.source(address)
    while node.kind == "cast" and node.kids:
        node = pointees.source(node.kids[-1])
    return node


def _paths(body: Node) -> Iterator[tuple[Node, ...]]:
    """Every node below a body with those around it, outermost first; lambdas are left out."""
    todo: list[tuple[Node, ...]] = [(body,)]
    while todo:
        path = todo.pop()
        yield path
        todo += [(*path, kid) for kid in reversed(path[-1].kids) if kid.kind != "lambda"]


def _unused(path: tuple[Node, ...]) -> bool:
    """Whether a call is a statement of its own."""
    if len(path) < 2:
        return False
    call, around = path[-1], path[-2]
    if around.kind in _STATEMENTS:
        return not (around.kind == "do" and around.kids[-1] is call)
    if around.kind == "if":
        return around.kids[0] is not call
    return around.kind in ("for", "while") and around.kids[-1] is call


def _alone(path: tuple[Node, ...], meanings: Meanings) -> bool:
    """Whether a condition around a call lets one thread of a block or of a warp through; or an early return does."""
    for around, inner in itertools.pairwise(path):
        if around.kind == "if" and around.kids[0] is not inner and picks_one(around.kids[0], meanings, "=="):
            return True
        if around.kind == "block":
            before = [kid for kid in around.kids if kid.kind == "if" and kid.start < inner.start]
            if any(_leaves(kid) and picks_one(kid.kids[0], meanings, "!=") for kid in before):
                return True
    return False


def _leaves(node: Node) -> bool:
    last = node.kids[-1]
    return last.kind in ("return", "continue") or (last.kind == "block" and bool(last.kids) and _leaves(last))


def picks_one(condition: Node, meanings: Meanings, sign: str) -> bool:
    """Whether a condition compares a thread's or lane's number with one value (`sign` `!=`: is true for the others)."""
    for node in condition.walk():
        if node.kind == "binary" and node.name in ((sign,) if sign == "==" else (sign, ">")) and len(node.kids) == 2:
            a, b = (meanings.of(kid) & _ONE_THREAD for kid in node.kids)
            if bool(a) != bool(b):
                return True
        if sign == "==" and node.kind == "unary" and node.name == "!" and meanings.of(node) & _ONE_THREAD:
            return True
        if sign == "==" and node.kind == "call" and node.name in ("elect_one_sync", "invoke_one"):
            return True
    bare = condition if sign == "!=" else None
    return bare is not None and bare.kind in ("name", "member") and bool(meanings.of(bare) & _ONE_THREAD)


class _Fixed:
    """Which expressions are the same in all threads of a block, from the kernel's first statement to its last."""

    def __init__(self, body: Node, parameters: tuple[Node, ...]) -> None:
        self._changed = {
            kid.refers
            for node in body.walk()
            if node.kind == "assign" or (node.kind in ("unary", "binary") and node.name in _CHANGING)
            for kid in node.kids[:1]
            if kid.kind == "name"
        }
        taken = (n.kids[0] for n in body.walk() if n.kind == "unary" and n.name == "&" and n.kids)
        self._changed |= {kid.refers for kid in taken if kid.kind == "name"} - {-1}
        self._known = {n.refers for n in parameters} | {-1}
        locals_ = [n for n in body.walk() if n.kind == "variable" and len(n.kids) == 1]
        for node in locals_:
            if "__shared__" not in node.type and self.value(node.kids[0]):
                self._known.add(node.refers)

    def address(self, node: Node) -> bool:
        """Whether an address is one for the block."""
        if node.kind == "unary" and node.name == "&" and node.kids:
            inner = node.kids[0]
            if inner.kind == "name":
                return inner.refers == -1 and inner.name != "threadIdx"
            if inner.kind in ("index", "member"):
                return all(self.value(kid) for kid in inner.kids)
            return False
        return self.value(node)

    def value(self, node: Node) -> bool:
        """Whether a value is one for the block; what is read from memory may differ."""
        if node.kind == "name":
            if node.name in _BUILTINS or (not node.name and not node.kids):
                return True
            return node.name != "threadIdx" and node.refers in self._known and node.refers not in self._changed
        if node.kind == "integer":
            return True
        if node.kind == "member":
            return bool(node.kids) and node.kids[0].kind == "name" and node.kids[0].name in _BUILTINS
        if node.kind in ("binary", "unary") and node.name in ("+", "-", "*", "/", "%", "<<", ">>", "&", "|"):
            return not (node.kind == "unary" and node.name == "*") and all(self.value(kid) for kid in node.kids)
        if node.kind == "cast" or (node.kind == "call" and not node.name and len(node.kids) == 3):
            return all(self.value(kid) for kid in node.kids)
        return False


def _global_kind(unit: Unit, source: Node) -> str:
    """The type of a `__device__` variable of the file."""
    found = re.search(
        rb"__device__\s+(?:static\s+|volatile\s+)*([\w ]+?)\s+" + source.name.encode() + rb"\s*(?:\[[^\]]*\]\s*)*[;=]",
        unit.text.code,
    )
    return found.group(1).decode() if found else ""
