"""Where every thread of a block may update one address: the atomics of a kernel that a block could join."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.meaning import Meanings, Means
from hipport.rewrites.atomic_tree import fields
from hipport.rewrites.atomic_tree.uniform import Fixed, origin
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
        if not unused(path):
            continue
        start = origin(address)
        key = "".join(unit.text.word(address.start, address.end).split())
        counted = fields.member(address) is not None
        kind = fields.kind(unit, address, types) if counted else pointees.pointee(address, types)
        kind = kind or ("" if counted else global_kind(unit, start))
        name = pointees.called(call, unit.text.code)
        yield Site(name, call, path[1], address, key, kind, start.refers if start.refers in types else -1)


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
    fixed = Fixed(unit, body, parameters)
    own = {f.name for f in unit.functions if f.name in NAMES and not collides(unit, f)}
    for path in paths(body):
        call = path[-1]
        name = pointees.called(call, unit.text.code)
        given = pointees.arguments(call) if name in NAMES - own and _plain(unit, call, name) else ()
        if not given or len(path) < 2 or not unit.live(call.start) or alone(path, meanings):
            continue
        start = origin(given[0])
        if start.kind == "name" and "__shared__" not in types.get(start.refers, "") and fixed.address(given[0]):
            yield path, given[0], types


def _plain(unit: Unit, call: Node, name: str) -> bool:
    """Whether a call names an atomic without a namespace (but `at::native::` and the like, of gpuAtomicAdd)."""
    written = unit.text.code[call.start : call.end]
    return name.startswith("gpu") or re.match(rb"(?:::\s*)?" + name.encode() + rb"\s*\(", written) is not None


def paths(body: Node) -> Iterator[tuple[Node, ...]]:
    """Every node below a body with those around it, outermost first; lambdas are left out."""
    todo: list[tuple[Node, ...]] = [(body,)]
    while todo:
        path = todo.pop()
        yield path
        todo += [(*path, kid) for kid in reversed(path[-1].kids) if kid.kind != "lambda"]


def unused(path: tuple[Node, ...]) -> bool:
    """Whether a call is a statement of its own."""
    if len(path) < 2:
        return False
    call, around = path[-1], path[-2]
    if around.kind in _STATEMENTS:
        return not (around.kind == "do" and around.kids[-1] is call)
    if around.kind == "if":
        return around.kids[0] is not call
    return around.kind in ("for", "while") and around.kids[-1] is call


def alone(path: tuple[Node, ...], meanings: Meanings) -> bool:
    """Whether a condition around a call lets one thread of a block or of a warp through; or an early return does."""
    for around, inner in itertools.pairwise(path):
        if around.kind == "if" and around.kids[0] is not inner and picks_one(around.kids[0], meanings, "=="):
            return True
        asked = around.kind == "binary" and around.name == "&&" and around.kids[-1] is inner
        if asked and picks_one(around.kids[0], meanings, "=="):
            return True
        if around.kind == "block":
            before = [kid for kid in around.kids if kid.kind == "if" and kid.start < inner.start]
            if any(_leaves(kid) and picks_one(kid.kids[0], meanings, "!=") for kid in before):
                return True
    return False


def _leaves(node: Node) -> bool:
    last = node.kids[-1]
    return last.kind in ("return", "continue") or (last.kind == "block" and bool(last.kids) and _leaves(last))


def _loads(node: Node) -> bool:
    """Whether a value is made of what memory holds, whoever reads it."""
    return any(n.kind == "index" or (n.kind == "unary" and n.name == "*") for n in node.walk())


def picks_one(condition: Node, meanings: Meanings, sign: str) -> bool:
    """Whether a condition compares a thread's or lane's number with one value (`sign` `!=`: is true for the others)."""
    for node in condition.walk():
        if node.kind == "binary" and node.name in ((sign,) if sign == "==" else (sign, ">")) and len(node.kids) == 2:
            a, b = (Means.NOTHING if _loads(kid) else meanings.of(kid) & _ONE_THREAD for kid in node.kids)
            if bool(a) != bool(b):
                return True
        negated = sign == "==" and node.kind == "unary" and node.name == "!" and not _loads(node)
        if negated and meanings.of(node) & _ONE_THREAD:
            return True
        if sign == "==" and node.kind == "call" and node.name in ("elect_one_sync", "invoke_one"):
            return True
    bare = condition if sign == "!=" else None
    return bare is not None and bare.kind in ("name", "member") and bool(meanings.of(bare) & _ONE_THREAD)


def global_kind(unit: Unit, source: Node) -> str:
    """The type of a `__device__` variable of the file."""
    name = re.escape(source.name.encode())
    head = rb"(?:__device__|__managed__)\s+(?:static\s+|volatile\s+)*([\w ]+?)\s+"
    found = re.search(head + name + rb"\s*(?:\[[^\]]*\]\s*)*[;=]", unit.text.code)
    return found.group(1).decode() if found else ""
