"""# atomic-bins: a histogram counted in global memory

`atomicAdd(&bins[value & 255], 1)` sends every count to the memory side, where those of one bin queue. With the bins in
LDS (integer atomics are native there on every target) a block counts for itself and adds its counts to the bins in
memory once, at its end: one atomic for each bin and block. LDS has room for 16,384 bins of 4 bytes on gfx942, 40,960 on
gfx950.

Advice, no edit: the counts have to be cleared before, behind a barrier, and flushed after, and the kernel needs enough
work for each block to pay for that (a grid-stride loop; few blocks). Told where the bins are provably few: the index is
masked, a remainder or a byte, its result is unused, and the kernel keeps nothing of the kind in LDS already. For bins
that follow the data without such a bound, see `float-atomic`; for tickets (`at = atomicAdd(&n, 1)`) nothing is needed:
the compiler takes one atomic for a wave where its lanes share the address.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.meaning import Meanings, Means
from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "atomic-bins"
_NAMES = frozenset({"atomicAdd", "gpuAtomicAdd", "gpuAtomicAddNoReturn", "atomicInc"})
_BYTES = frozenset({"unsigned char", "uchar", "uint8_t", "char", "signed char", "int8_t"})
_SIZES = {"unsigned long long": 8, "unsigned long long int": 8, "double": 8, "unsigned long": 8}
_BYTE = 256
_STATEMENTS = frozenset({"block", "if", "for", "while", "do", "case", "default"})
_LIMIT = "lds_max_per_block_dynamic_bytes"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if b"tomic" not in unit.text.code or not target.knows(_LIMIT):
        return
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body) if function.kernel else None
        if body is not None and unit.tree.whole(function.start, function.end):
            yield from _of_kernel(unit, target, function, body)


def _of_kernel(unit: Unit, target: Target, function: Function, body: Node) -> Iterator[Finding]:
    parameters = unit.tree.parameters[function.body]
    types = pointees.declared(parameters, body)
    meanings = Meanings(body, parameters, unit.macros)
    calls = list(pointees.found(body, unit.text.code, _NAMES))
    places = [pointees.arguments(call)[0] for _, call in calls if pointees.arguments(call)]
    if any("__shared__" in types.get(pointees.source(place).refers, "") for place in places):
        return
    statements = {id(kid) for node in body.walk() if node.kind in _STATEMENTS for kid in node.kids}
    told: set[int] = set()
    for _, call in calls:
        given = pointees.arguments(call)
        base = pointees.source(given[0]) if given else None
        if base is None or base.refers in told or id(call) not in statements or not unit.live(call.start):
            continue
        bins = _bins(given[0], body, types, _Known(unit, meanings))
        size = bins * _SIZES.get(pointees.pointee(given[0], types), 4)
        if bins <= 1 or size > target.lds_dynamic_bytes:
            continue
        told.add(base.refers)
        yield advice(
            unit,
            _ID,
            (call.start, call.end),
            f"{bins} bins are counted in global memory by every thread: {size} bytes of LDS hold them for a block",
            "count in LDS, and add each bin to memory once for a block",
            family="atomics",
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of the values of a kernel."""

    unit: Unit
    meanings: Meanings

    def constant(self, node: Node) -> int | None:
        """The value of a constant expression."""
        found = self.meanings.constant(node)
        if found is None and 0 <= node.start < node.end and node.kind in ("binary", "cast"):
            return self.unit.macros.value(self.unit.text.word(node.start, node.end))
        return found


def _bins(address: Node, body: Node, types: dict[int, str], known: _Known) -> int:
    """How many places an address can mean; 0 where that does not show, or its index is a thread's number."""
    node = address.kids[0] if address.kind == "unary" and address.name == "&" and address.kids else address
    if node.kind not in ("index", "binary") or len(node.kids) < 2 or (node.kind == "binary" and node.name != "+"):
        return 0
    index = _made_of(node.kids[-1], body)
    if types.get(index.refers, "").removeprefix("const ") in _BYTES:
        return _BYTE
    return 0 if _numbers_thread(index, known.meanings) else _bound(index, types, known)


def _numbers_thread(index: Node, meanings: Meanings) -> bool:
    """Whether an index is made of a thread's or block's number; what is read from memory is not."""
    if index.kind == "index":
        return False
    if index.kind in ("name", "call"):
        return bool(meanings.of(index) & (Means.THREAD | Means.LANE | Means.BLOCK))
    return any(_numbers_thread(kid, meanings) for kid in index.kids)


def _bound(index: Node, types: dict[int, str], known: _Known) -> int:
    """One more than the greatest value of an index; 0 where it is not known."""
    while index.kind == "cast" and index.kids:
        if index.type in _BYTES:
            return _BYTE
        index = index.kids[-1]
    if index.kind == "binary" and index.name in ("&", "%") and len(index.kids) == 2:
        found = [n for kid in index.kids if (n := known.constant(kid)) is not None]
        if index.name == "%":
            return known.constant(index.kids[1]) or 0
        return found[0] + 1 if found and found[0] >= 0 else 0
    if index.kind == "index" and pointees.pointee(index, types) in _BYTES:
        return _BYTE
    return 0


def _made_of(index: Node, body: Node) -> Node:
    """What a variable is set to, where that is once only; else the expression itself."""
    if index.kind != "name" or index.refers < 0:
        return index
    values = [n.kids[-1] for n in body.walk() if n.kind == "variable" and n.refers == index.refers and n.kids]
    changed = any(
        n.kids and n.kids[0].kind == "name" and n.kids[0].refers == index.refers
        for n in body.walk()
        if n.kind in ("assign", "unary") or (n.kind == "binary" and n.name == "=")
    )
    return values[0] if len(values) == 1 and not changed else index


RULE = Rule(
    _ID,
    "A histogram counted in global memory",
    ("A10", "A09"),
    "atomics",
    Provenance(
        "ROCm GPU atomics operation; NVIDIA CCCL #9222 (aggregation on contended global memory: 3.75 times)",
        "all; MI300 and MI350 most",
    ),
    _find,
)
