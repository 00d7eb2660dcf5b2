"""Where a kernel counts into bins in global memory: the atomics, what they count in, and which bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.meaning import Meanings, Means
from hipport.rewrites.atomic_bins.bounds import Bounds
from hipport.rewrites.atomic_tree import fields
from hipport.rewrites.atomic_tree.sites import alone, global_kind, paths, unused
from hipport.rewrites.atomic_tree.uniform import Fixed, origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.rewrites.atomic_bins.bounds import Bound

NAMES = frozenset({"atomicAdd", "gpuAtomicAdd", "gpuAtomicAddNoReturn", "atomicInc"})
_LOOPS = frozenset({"for", "while", "do"})


@dataclass(frozen=True, slots=True)
class Count:
    """One atomic that counts. Its address is `base` + `offset` + `index`, the first two one for the block.

    `kind` is the type of a bin, `cast` whether the address was cast to it; `key` is base and offset as written.
    `fixed` is false where base and offset may differ between threads; `looped` true in a loop that data bounds.
    """

    name: str
    call: Node
    statement: Node
    address: Node
    base: Node
    offset: Node | None
    index: Node
    bound: Bound
    kind: str
    cast: bool
    key: str
    fixed: bool
    looped: bool


def find(unit: Unit, function: Function, body: Node) -> Iterator[Count]:
    """The counts of a kernel whose result nobody uses, whose index is bounded and is no thread's number."""
    parameters = unit.tree.parameters[function.body]
    types = pointees.declared(parameters, body)
    meanings = Meanings(body, parameters, unit.macros)
    fixed = Fixed(unit, body, parameters)
    bounds = Bounds(unit, body, types, meanings, fixed.changed)
    for path in paths(body):
        call = path[-1]
        name = pointees.called(call, unit.text.code)
        given = pointees.arguments(call) if name in NAMES else ()
        if not given or len(path) < 2 or not unused(path) or not unit.live(call.start) or alone(path, meanings):
            continue
        base, offset, index = _split(_bare(given[0]), fixed, types)
        if base is None or index is None or _numbers_thread(bounds.made_of(index), meanings, bounds):
            continue
        bound = bounds.of(index, path)
        if bound is None or bound.count <= 1 or "__shared__" in types.get(origin(base).refers, ""):
            continue
        key = "".join(unit.text.word(n.start, n.end) + " " for n in (base, offset) if n)
        yield Count(
            name,
            call,
            path[1],
            given[0],
            base,
            offset,
            index,
            bound,
            _kind(unit, given[0], base, types),
            given[0].kind == "cast",
            "".join(key.split()),
            _uniform(base, fixed),
            any(node.kind in _LOOPS and _by_data(node, bounds) for node in path[1:-1]),
        )


def _kind(unit: Unit, address: Node, base: Node, types: dict[int, str]) -> str:
    """The type of a bin."""
    if address.kind != "cast" and fields.member(base) is not None:
        return fields.element(unit, base, types)
    return pointees.pointee(address, types) or global_kind(unit, origin(base))


def privatises(body: Node, types: dict[int, str], code: bytes) -> bool:
    """Whether a kernel counts in LDS already."""
    places = [pointees.arguments(call)[0] for _, call in pointees.found(body, code, NAMES) if pointees.arguments(call)]
    return any("__shared__" in types.get(pointees.source(place).refers, "") for place in places)


def _bare(address: Node) -> Node:
    """An address without its casts."""
    while address.kind == "cast" and address.kids:
        address = address.kids[-1]
    return address


def _split(address: Node, fixed: Fixed, types: dict[int, str]) -> tuple[Node | None, Node | None, Node | None]:
    """The base, the offset that is one for the block, and the index of an address."""
    node = address.kids[0] if address.kind == "unary" and address.name == "&" and address.kids else address
    array = node.kind == "index" and node is not address
    if not (array or (node.kind == "binary" and node.name == "+")) or len(node.kids) != 2:
        return None, None, None
    base, index = node.kids
    if not array and base.kind == "name" and not _points(types.get(base.refers, "*")):
        return None, None, None
    if index.kind == "binary" and index.name == "+" and len(index.kids) == 2:
        for offset, rest in (index.kids, index.kids[::-1]):
            if fixed.value(offset) and not fixed.value(rest):
                return base, offset, rest
    return base, None, index


def _points(kind: str) -> bool:
    return "*" in kind or "[" in kind


def _uniform(base: Node, fixed: Fixed) -> bool:
    """Whether a base is one for the block: a pointer, or a row of an array."""
    if base.kind == "index":
        return all(fixed.value(kid) for kid in base.kids)
    return fixed.value(base)


def _by_data(loop: Node, bounds: Bounds) -> bool:
    """Whether a loop runs as often as something says that is no constant."""
    body = loop.kids[0] if loop.kind == "do" else loop.kids[-1]
    header = [kid for kid in loop.kids if kid is not body]
    tests = [n for kid in header for n in kid.walk() if n.kind == "binary" and n.name in ("<", "<=", ">", ">=", "!=")]
    return not tests or any(all(bounds.constant(kid) is None for kid in test.kids) for test in tests)


def _numbers_thread(index: Node, meanings: Meanings, bounds: Bounds) -> bool:
    """Whether an index is made of a thread's or block's number; what is read from memory is not."""
    if index.kind == "index":
        return False
    if index.kind == "member" and index.kids[0].kind == "name":
        made = bounds.made_of(index.kids[0])
        if any(node.kind == "index" for node in made.walk()):
            return False
    if index.kind in ("name", "call"):
        return bool(meanings.of(index) & (Means.THREAD | Means.LANE | Means.BLOCK))
    return any(_numbers_thread(kid, meanings, bounds) for kid in index.kids)
