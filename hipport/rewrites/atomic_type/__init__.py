"""# atomic-type: atomicAdd of a type that HIP has no overload for

CUDA adds `__half`, `__half2` (sm_60, sm_70), `__nv_bfloat16`, `__nv_bfloat162` (sm_80), `float2` and `float4` (sm_90)
atomically. HIP 7.2 declares `atomicAdd` for integers, `float` and `double` only: other calls do not compile. A shim
supplies the overloads, as templates, so that one of the repository's own still goes first; the calls stay as they are.

What each becomes: one half or bfloat16 is a compare-and-swap loop on its 32-bit word on every target, which leaves the
neighbour's bits alone (HIP's own `unsafeAtomicAdd(__half*)` adds zero to it). A pair is one instruction on gfx942 and
gfx950, elsewhere two loops. `float2` and `float4` are an addition for each element, which is what CUDA promises too.
Where such sums are hot, collect them in `float` and convert once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "atomic-type"
_NAMES = frozenset({"atomicAdd"})
_SHIMS = {
    **dict.fromkeys(("__half", "half", "__half2", "half2"), "atomic_half"),
    **dict.fromkeys(
        ("__nv_bfloat16", "nv_bfloat16", "__nv_bfloat162", "nv_bfloat162", "__hip_bfloat16", "__hip_bfloat162"),
        "atomic_bf16",
    ),
    **dict.fromkeys(("float2", "float4"), "atomic_vector"),
}
_TYPES = re.compile(rb"(?<![\w:])(?:" + b"|".join(name.encode() for name in _SHIMS) + rb")(?!\w)")
_OWN = re.compile(rb"(?<!\w)atomicAdd\s*\(\s*(\w+)\s*\*\s*\w+\s*,[^(){};]*\)\s*\{")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    code = unit.text.code
    if b"atomicAdd" not in code or not _TYPES.search(code):
        return
    own = {match.group(1).decode() for match in _OWN.finditer(code)}
    for function in unit.functions:
        if function.body in unit.tree.bodies and b"atomicAdd" in code[function.body : function.end]:
            yield from _of_function(unit, function, own)


def _of_function(unit: Unit, function: Function, own: set[str]) -> Iterator[Finding]:
    body = unit.tree.bodies[function.body]
    types = pointees.declared(unit.tree.parameters[function.body], body)
    for name, call in pointees.found(body, unit.text.code, _NAMES):
        given = pointees.arguments(call)
        if len(given) != 2 or not unit.live(call.start):
            continue
        kind = pointees.pointee(given[0], types)
        kind = kind if kind in _SHIMS else _instance(unit, function, kind)
        if not kind or kind in own:
            continue
        yield finding(
            unit,
            _ID,
            (call.start, call.start + len(name)),
            f"HIP has no atomicAdd({kind}*): a shim supplies it",
            status=Status.SHIMMED,
            safety=Safety.SAFE,
            shims=(_SHIMS[kind],),
            next_step="" if kind.endswith(("2", "4")) else "where this is hot, sum in float and convert once",
            family="atomics",
        )


def _instance(unit: Unit, function: Function, kind: str) -> str:
    """A type of ours that a template's parameter `kind` stands for somewhere in the file; else empty."""
    if not re.fullmatch(r"\w+", kind) or not function.name:
        return ""
    code = unit.text.code
    head = code[max(0, function.start - 300) : function.start]
    if not re.search(rb"(?:typename|class)\s+" + kind.encode() + rb"\b[^;{}]*\Z", head):
        return ""
    used = re.compile(rb"(?<!\w)" + function.name.encode() + rb"\s*<([^;{}()]*)>")
    for match in used.finditer(code):
        found = _TYPES.search(match.group(1))
        if found:
            return found.group().decode()
    return ""


RULE = Rule(
    _ID,
    "atomicAdd of a type that HIP has no overload for",
    ("A03", "A04"),
    "atomics",
    Provenance(
        "CUDA C++ Programming Guide (atomicAdd); HIP amd_hip_atomic.h, amd_hip_fp16.h, amd_hip_bf16.h of ROCm 7.2",
        "all: compile error",
    ),
    _find,
)
