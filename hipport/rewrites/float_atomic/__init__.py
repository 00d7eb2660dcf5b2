"""# float-atomic: what atomicAdd on floating point becomes

Whether `atomicAdd` on a `float` or `double` is one instruction or a compare-and-swap loop is decided by target, type,
kind of memory and flag, for example in global memory (LLVM, agent scope):

| type | gfx90a | gfx942, gfx950 | gfx1100 | gfx12 |
|---|---|---|---|---|
| float | loop, native with the flag | native | loop, native with the flag | native |
| double | loop, native with the flag | native | loop | loop |

The flag is `-munsafe-fp-atomics`, or `unsafeAtomicAdd` for a single call: on fine-grained memory (`hipHostMalloc`,
`hipMallocManaged`) the instruction of gfx90a and gfx11 does nothing, and the result is wrong in silence.
Integer atomics are native everywhere.

In LDS `float` is native on all targets, but on gfx90a (MI200) it is reported slower than `double`, and where few
threads meet, than a compare-and-swap loop; alpaka reports a factor of 3.

Advice, no edit: for a `float` in LDS on such a target; where a target compiles a loop that the flag avoids; and where
the address comes from data (`atomicAdd(dst + index[i], v)`): threads that hit one address wait for each other on any
GPU, on AMD's eight-die parts the more so. Sort by address and reduce segments, or collect in LDS, if many collide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "float-atomic"
_ADDS = frozenset({"atomicAdd", "gpuAtomicAdd", "gpuAtomicAddNoReturn"})
_KINDS = {"float": "f32", "double": "f64"}


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("atomics") or b"tomicAdd" not in unit.text.code:
        return
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if body is not None and unit.live(function.start):
            yield from _of_function(unit, target, function, body)


def _of_function(unit: Unit, target: Target, function: Function, body: Node) -> Iterator[Finding]:
    """The first call of each type in each kind of memory that becomes a loop, and the first that scatters."""
    types = pointees.declared(unit.tree.parameters[function.body], body)
    table = target.fact("atomics").value
    told: set[str] = set()
    for name, call in pointees.found(body, unit.text.code, _ADDS):
        given = pointees.arguments(call)
        address = given[0] if given else None
        kind, shared = _pointee(address, types) if address is not None else ("", False)
        if address is None or not kind or not unit.live(call.start):
            continue
        entry = table.get(("lds_" if shared else "global_") + _KINDS[kind] + "_add")
        row = f"{kind} {shared}"
        if isinstance(entry, dict) and entry["default"] == "cas" and entry["unsafe_flag"] != "cas" and row not in told:
            told.add(row)
            yield _looped(unit, target, call, name, kind)
        if shared and "lds_" + _KINDS[kind] + "_add" in table.get("slower_than_f64", ()) and "slow" not in told:
            told.add("slow")
            yield _slow(unit, target, call, name, kind)
        if not shared and "scatter" not in told and _from_data(address):
            told.add("scatter")
            yield _scattered(unit, target, address, kind, loop=isinstance(entry, dict) and entry["default"] == "cas")


def _pointee(address: Node, types: dict[int, str]) -> tuple[str, bool]:
    """The floating-point type that an address points to, and whether it is in LDS; ("", False) where it is another."""
    kind = pointees.pointee(address, types)
    shared = "__shared__" in types.get(pointees.source(address).refers, "")
    return (kind, shared) if kind in _KINDS else ("", False)


def _from_data(address: Node) -> bool:
    """Whether an address is computed from a value in memory: an index within it."""
    return any(
        inner.kind == "index"
        for node in address.walk()
        if node.kind in ("index", "binary") or (node.kind == "call" and not node.name)
        for kid in node.kids[1:]
        for inner in kid.walk()
    )


def _looped(unit: Unit, target: Target, call: Node, name: str, kind: str) -> Finding:
    message = f"`{name}` on a {kind} is a compare-and-swap loop on {target.name} without -munsafe-fp-atomics"
    step = "unsafeAtomicAdd or the flag makes it one instruction, if no such memory is fine-grained"
    return advice(unit, _ID, (call.start, call.start + len(name)), message, step, family="atomics")


def _slow(unit: Unit, target: Target, call: Node, name: str, kind: str) -> Finding:
    message = f"`{name}` on a {kind} in LDS is reported slower on {target.name} than on a double, or than a loop"
    step = "measure it beside a double in LDS, or a sum in registers first"
    return advice(unit, _ID, (call.start, call.start + len(name)), message, step, family="atomics")


def _scattered(unit: Unit, target: Target, address: Node, kind: str, *, loop: bool) -> Finding:
    how = "a loop" if loop else "one instruction"
    message = (
        f"atomicAdd on a {kind} at addresses from data: {how} on {target.name}; threads that hit one address queue"
    )
    step = "if many collide: sort by address and reduce segments, or collect in LDS first"
    return advice(unit, _ID, (address.start, address.end), message, step, family="atomics")


RULE = Rule(
    _ID,
    "What atomicAdd on floating point becomes",
    ("A01", "A02", "A11", "A14"),
    "atomics",
    Provenance(
        "LLVM AMDGPU atomics by target; ROCm GPU atomics operation; pytorch issue 128750; ROCm/hip issues 2294, 3896;"
        " olcf-user-docs PRs 587, 712; alpaka PR 1771",
        "by target and type",
    ),
    _find,
)
