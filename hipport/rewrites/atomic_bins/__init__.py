"""# atomic-bins: a histogram counted in global memory

`atomicAdd(&bins[value & 255], 1)` sends every count to the memory side, where those of one bin queue. With the bins in
LDS (integer atomics are native there on every target) a block counts for itself and adds its counts to the bins in
memory once, at its end: one atomic for each bin and block. LDS has room for 16,384 bins of 4 bytes on gfx942, 40,960 on
gfx950.

Offered with `--optimize`: an array in LDS is cleared where the kernel begins, the counts go to it, and behind a barrier
the block adds each bin that is not zero to its own in memory (shim `block_bins`). Integers are equal bit by bit; sums
of `float` have another order, which is shown for review. The edit is written for all targets: its array fits beside
what the kernel has in the LDS of the smallest.

Done only where
- the result of the atomic is unused, and its base is one for the block: `bins`, `bins + blockIdx.y * 64 + value`;
- the index is proved to stay among the bins: masked, a remainder of what has no sign, a byte, a shift of 32 bits, or
  behind `if (bin < 64)`, with a constant number of bins;
- the kernel uses the array in no other way, not by another pointer either;
- a loop bounded by data counts, so that a block has more to do than to clear its bins;
- all threads of the block come to its end; an early `return` becomes a branch around the rest.

Otherwise it is told, with what stands in the way. Left alone: kernels that count in LDS already, bins that follow the
data without a bound (see `float-atomic`), and tickets (`at = atomicAdd(&n, 1)`): for these the compiler takes one
atomic for a wave where its lanes share the address.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.model import Purpose, Safety
from hipport.rewrites.atomic_bins import counted
from hipport.rewrites.atomic_tree import fields, sites
from hipport.rewrites.atomic_tree.exits import ORDERS, RefusedError, branch, indent, meeting, taken
from hipport.rewrites.atomic_tree.registers import room
from hipport.rewrites.atomic_tree.uniform import Fixed, origin
from hipport.rewrites.forms import advice, edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.rewrites.atomic_bins.counted import Count
    from hipport.rewrites.atomic_tree.exits import Meeting
    from hipport.targets import Target

_ID = "atomic-bins"
_KINDS = {  # what a bin in LDS can be -> its bytes
    **dict.fromkeys(("int", "int32_t", "unsigned", "unsigned int", "uint", "uint32_t", "float"), 4),
    **dict.fromkeys(("unsigned long long", "unsigned long long int"), 8),
}
_SIZES = {**_KINDS, "double": 8, "unsigned long": 8}
_SPARE = 1024  # bytes of LDS that a tree beside it may take
_STEP = "count in LDS, and add each bin to memory once for a block"
_LIMIT = "lds_max_per_block_dynamic_bytes"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if b"tomic" not in unit.text.code or not target.knows(_LIMIT):
        return
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body) if function.kernel else None
        if body is not None and unit.tree.whole(function.start, function.end):
            yield from _of_kernel(unit, target, function, body)


def _of_kernel(unit: Unit, target: Target, function: Function, body: Node) -> Iterator[Finding]:
    types = pointees.declared(unit.tree.parameters[function.body], body)
    if counted.privatises(body, types, unit.text.code):
        return
    counts = sorted(counted.find(unit, function, body), key=lambda c: (c.key, c.call.start))
    groups = [list(group) for _, group in groupby(counts, key=lambda c: c.key)]
    fitting: list[list[Count]] = []
    for group in sorted(groups, key=lambda g: g[0].call.start):
        bins = max(count.bound.count for count in group)
        size = bins * _SIZES.get(group[0].kind, 4)
        if size > target.lds_dynamic_bytes:
            continue
        try:
            _check(unit, body, function, group)
            fitting.append(group)
        except RefusedError as refused:
            yield _told(unit, group[0], bins, size, str(refused))
    try:
        if fitting:
            yield _offered(unit, target, function, body, fitting)
    except RefusedError as refused:
        for group in fitting:
            bins = max(count.bound.count for count in group)
            yield _told(unit, group[0], bins, bins * _KINDS[group[0].kind], str(refused))


def _check(unit: Unit, body: Node, function: Function, group: list[Count]) -> None:
    """Raise RefusedError where the counts of one array cannot go to LDS."""
    fixed = Fixed(unit, body, unit.tree.parameters[function.body])
    doubts = [count.bound.doubt for count in group if count.bound.doubt]
    inside = [(count.address.start, count.address.end) for count in group]
    uses = fields.beside(body, group[0].address, fixed.uses(body, origin(group[0].base)))
    if doubts:
        raise RefusedError(doubts[0])
    if len({count.kind for count in group}) > 1 or group[0].kind not in _KINDS:
        raise RefusedError(f"its type (`{group[0].kind or 'unknown'}`) is not one that is known here")
    if any(count.name == "atomicInc" for count in group):
        raise RefusedError("atomicInc has a limit of its own")
    if not all(count.fixed for count in group):
        raise RefusedError("its base may differ between the threads of a block")
    if any(not any(a <= use.start < b for a, b in inside) for use in uses):
        raise RefusedError("the kernel uses the bins in another way too")
    if not any(count.looped for count in group):
        raise RefusedError("each thread counts a few times at most, and the bins have to be cleared for that")
    if any(count.call.macro or count.address.start < 0 for count in group):
        raise RefusedError("a macro writes it")


def _offered(unit: Unit, target: Target, function: Function, body: Node, groups: list[list[Count]]) -> Finding:
    """The finding that takes the counts of a kernel into LDS.

    Raises:
        RefusedError: they cannot be.
    """
    code = unit.text.code
    sizes = [max(count.bound.count for count in group) * _KINDS[group[0].kind] for group in groups]
    room(unit, function, sum(sizes) + _SPARE)
    if unit.blocked(function.start) or taken(unit, target, function):
        raise RefusedError("another rewrite changes who runs its statements")
    if ORDERS.search(code, function.body, function.end):
        raise RefusedError("a fence or a grid barrier orders what it does")
    last = max((count.statement for group in groups for count in group), key=lambda s: s.start)
    place = meeting(unit, function, body, last)
    if place.guards and any(True for _ in sites.find(unit, function, body)):
        raise RefusedError("a tree for its other counters turns the same returns")
    limit = place.guards[0].start if place.guards else last.start
    fixed = Fixed(unit, body, unit.tree.parameters[function.body])
    margin = indent(unit, body.kids[0].start)
    declared, cleared, flushed, moved = "", "", "", []
    for number, group in enumerate(groups):
        name = f"hipport_bins{number or ''}"
        most = max(group, key=lambda c: c.bound.count)
        declared += f"\n{margin}__shared__ {most.kind} {name}[{most.bound.text}];"
        cleared += f"\n{margin}hipport::clear_bins({name});"
        flushed += f"\n{margin}hipport::flush_bins({name}, {_base(unit, fixed, most, limit)});"
        moved += [piece for count in group for piece in _moved(count, name)]
    return _finding(unit, function, groups, sizes, place, (declared + cleared, flushed), moved, margin)


def _finding(
    unit: Unit,
    function: Function,
    groups: list[list[Count]],
    sizes: list[int],
    place: Meeting,
    texts: tuple[str, str],
    moved: list[tuple[int, int, bytes]],
    margin: str,
) -> Finding:
    first = groups[0][0].call
    bins = " and ".join(str(max(count.bound.count for count in group)) for group in groups)
    closed = "".join(f"\n{margin}}}" for _ in place.guards)
    meets = f"\n{margin}__syncthreads();"
    edits = (
        edit(unit, function.body + 1, function.body + 1, (texts[0] + meets).encode()),
        *(piece for guard in place.guards for piece in branch(unit, guard)),
        *(edit(unit, *piece) for piece in moved),
        edit(unit, place.at, place.at, (closed + meets + texts[1]).encode()),
    )
    real = any(group[0].kind == "float" for group in groups)
    return finding(
        unit,
        _ID,
        (first.start, first.end),
        f"{bins} bins are counted in global memory by every thread: {sum(sizes)} bytes of LDS hold them for a block"
        + ("; a floating-point sum changes its order" if real else ""),
        edits=edits,
        safety=Safety.REVIEW if real else Safety.SAFE,
        shims=("block_bins",),
        purpose=Purpose.PERFORMANCE,
        next_step="see that each block has more to count than the bins that it clears",
        family="atomics",
    )


def _base(unit: Unit, fixed: Fixed, count: Count, limit: int) -> str:
    """The address of the first bin in memory, as the kernel's own block can write it."""
    text = fixed.spelled(unit, (count.base.start, count.base.end), count.base, limit)
    if count.offset is not None:
        offset = fixed.spelled(unit, (count.offset.start, count.offset.end), count.offset, limit)
        text = f"{text} + {offset}" if re.fullmatch(r"[\w.]+", offset) else f"{text} + ({offset})"
    if count.cast:
        return f"({count.kind}*)({text})"
    return text


def _moved(count: Count, name: str) -> list[tuple[int, int, bytes]]:
    """The address of a count, in LDS: what stands around the index is replaced, the index is not."""
    address, index = count.address, count.index
    return [(address.start, index.start, f"&{name}[".encode()), (index.end, address.end, b"]")]


def _told(unit: Unit, count: Count, bins: int, size: int, reason: str) -> Finding:
    message = f"{bins} bins are counted in global memory by every thread: {size} bytes of LDS hold them for a block"
    place = (count.call.start, count.call.end)
    return advice(unit, _ID, place, f"{message}; not rewritten: {reason}", _STEP, family="atomics")


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
