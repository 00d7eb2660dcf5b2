"""# cas-atomic: a compare-and-swap loop in place of an atomic that there is

Before sm_60 CUDA had no `atomicAdd(double*)`, and it has no `atomicMax(float*)` to this day: code emulates them by a
loop around `atomicCAS` on the bits of the value. HIP has both by name. Where the target has the instruction, the loop
costs a round trip to memory for each try, and under contention many tries:

- `double` add: native on gfx942 and gfx950; on gfx90a with `unsafeAtomicAdd` or `-munsafe-fp-atomics`, on memory that
  is not fine-grained; a loop on RDNA whatever is written;
- `float` add: native on gfx942, gfx950 and gfx12; on gfx90a and gfx11 as above.

A function of the repository that is itself called `atomicAdd` and takes a `double*` collides with HIP's own, unless it
stands under a test of `__CUDA_ARCH__`: drop it for HIP. Nothing is rewritten: the order of the additions, and what
the loop returns, are the author's to judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls
from hipport.model import Purpose, Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cas-atomic"
_CAS = re.compile(rb"(?<![\w.])atomicCAS(?:_block)?(?!\w)")
_BITS = {
    "double": re.compile(rb"__double_as_longlong\s*\("),
    "float": re.compile(rb"__float_as_u?int\s*\("),
}
_AFTER = re.compile(rb"[^{}]*\}\s*while\s*\(")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("atomics"):
        return
    for site in calls.find(unit.text, _CAS):
        function = unit.function_at(site.start)
        if function is None or len(site.arguments) != 3 or not unit.live(site.start):
            continue
        kind = _emulated(unit, site, function)
        if kind and not _asks_arch(unit.text.code, site.start):
            yield from _told(unit, target, site, function, kind)


def _emulated(unit: Unit, site: CallSite, function: Function) -> str:
    """The type whose addition a loop around a call makes; empty where it is something else."""
    code = unit.text.code
    looped = _AFTER.match(code, site.end, function.end) or re.search(
        rb"\bwhile\s*\([^;{}]*\Z", code[function.body : site.start]
    )
    value = code[site.arguments[2][0] : site.arguments[2][1]]
    if re.fullmatch(rb"\w+", value.strip()):
        given = re.compile(rb"(?<!\w)" + value.strip() + rb"\s*=(?!=)\s*([^;]*);")
        found = list(given.finditer(code, function.body, site.start))
        value = found[-1].group(1) if found else value
    added = re.search(rb"\+(?![+=])", value) is not None
    return next((kind for kind, bits in _BITS.items() if looped and added and bits.search(value)), "")


def _asks_arch(code: bytes, offset: int) -> bool:
    """Whether a condition on `__CUDA_ARCH__` is open at an offset."""
    stack: list[bool] = []
    for match in _CONDITION.finditer(code, 0, offset):
        if match.group(1).startswith(b"if"):
            stack.append(b"__CUDA_ARCH__" in match.group(2))
        elif match.group(1) == b"endif" and stack:
            stack.pop()
        elif stack and b"__CUDA_ARCH__" in match.group(2):
            stack[-1] = True
    return any(stack)


def _told(unit: Unit, target: Target, site: CallSite, function: Function, kind: str) -> Iterator[Finding]:
    how = target.fact("atomics").value["global_f64_add" if kind == "double" else "global_f32_add"]
    if function.name == "atomicAdd" and kind == "double":
        at = unit.text.code.index(b"atomicAdd", function.start)
        yield finding(
            unit,
            _ID,
            (at, at + len(b"atomicAdd")),
            "`atomicAdd(double*, double)` is declared by HIP: this definition collides with it",
            safety=Safety.MANUAL,
            next_step="leave it out for HIP (#if !defined(__HIP_PLATFORM_AMD__))",
            family="atomics",
        )
    if how["default"] == "cas" and how["unsafe_flag"] == "cas":
        return
    plain = how["default"] == "native"
    instead = "atomicAdd" if plain else "unsafeAtomicAdd"
    yield finding(
        unit,
        _ID,
        (site.start, site.end),
        f"a compare-and-swap loop adds to a {kind}: {target.name} has {instead}({kind}*) as one instruction",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        purpose=Purpose.PERFORMANCE,
        next_step="call atomicAdd" if plain else "call unsafeAtomicAdd, where no memory is fine-grained",
        family="atomics",
    )


RULE = Rule(
    _ID,
    "A compare-and-swap loop in place of an atomic that there is",
    ("A12",),
    "atomics",
    Provenance(
        "CUDA C++ Programming Guide (atomicAdd by atomicCAS); LLVM AMDGPU atomics; ROCm GPU atomics operation",
        "gfx90a, gfx942, gfx950, gfx11, gfx12 by type",
    ),
    _find,
)
