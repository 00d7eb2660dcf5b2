"""# own-atomic: an atomic of one's own that HIP declares

CUDA has no `atomicMax(float*, float)`, and before sm_60 it had no `atomicAdd(double*, double)`: code defines them by a
loop around `atomicCAS`, or by integer atomics on the bits. HIP declares both, and others: `atomicMin`, `atomicMax` and
`atomicSub` of `float` and `double`, `atomicExch` and `atomicCAS` of `double`. A definition with the same parameters is
a redefinition, or differs in `static`, and does not compile; behind `#if __CUDA_ARCH__ < 600` too, as the host pass has
no `__CUDA_ARCH__`.

The definition is left out: calls take HIP's, which does the same. What differs: HIP's is one instruction where the
target has it (`float-atomic`), and for a NaN the result of a maximum may differ. A maximum by integer atomics on the
bits is one instruction everywhere, HIP's of `float` a compare-and-swap loop on all GPUs before gfx12: where that is
lost, the next step says so; give yours another name, in its calls too, to keep it. Left alone: definitions in a
namespace or a class, templates, other parameters (`volatile float*`), and what neither pass of the compiler sees.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import passes
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "own-atomic"
_REALS = frozenset({"float", "double"})
# name -> the types of its pointer that HIP declares and CUDA does not (ROCm 7.2, amd_hip_atomic.h)
_DECLARED = {
    "atomicAdd": frozenset({"double"}),
    "atomicSub": _REALS,
    "atomicMin": _REALS,
    "atomicMax": _REALS,
    "atomicExch": frozenset({"double"}),
    "atomicCAS": _REALS,
}
_POINTER = re.compile(rb"\(\s*(\w+)\s*\*\s*(?:const\s*)?(?:__restrict__\s*|__restrict\s*)?\w*\s*,")
_VALUES = rb"\s*(?:const\s+)?%s(?:\s+const)?(?:\s+\w+)?\s*"
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*\n", re.MULTILINE)
_OPENS = re.compile(rb"extern\s*\"[ ]*\"\s*\Z")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for function in unit.functions:
        shown = collides(unit, function)
        if not shown or not unit.live(function.start) or not passes.compiled(unit.text, function.start):
            continue
        start = _start(unit.text.code, function.start)
        note = f"// {function.name}({shown}): HIP has it".encode()
        yield finding(
            unit,
            _ID,
            (start, function.end),
            f"`{function.name}({shown})` is declared by HIP: this definition of it does not compile beside it",
            edits=(edit(unit, start, function.end, note),),
            safety=Safety.REVIEW,
            next_step=_step(unit, target, function, shown),
            family="atomics",
        )


def _step(unit: Unit, target: Target, function: Function, shown: str) -> str:
    """What to look at: where integer atomics did it in one instruction and HIP's is a loop, that is said."""
    body = unit.text.code[function.body : function.end]
    row = f"global_{'f64' if shown.startswith('double') else 'f32'}_max"
    tricks = b"atomicCAS" not in body and re.search(rb"(?<!\w)atomic(?:Max|Min)\s*\(", body) is not None
    if tricks and target.knows("atomics") and target.fact("atomics").value[row]["default"] == "cas":
        return f"HIP's is a loop on {target.name}, this one was not: give it another name, in its calls too, to keep it"
    return "its callers take HIP's; check that it does the same"


def collides(unit: Unit, function: Function) -> str:
    """The parameters of a function at file scope that HIP declares just so; empty where it is another one."""
    if function.name not in _DECLARED:
        return ""
    code = unit.text.code
    name = code.index(function.name.encode(), function.start)
    found = _POINTER.search(code, name, function.body)
    if found is None or code[name : found.start()].strip() != function.name.encode():
        return ""
    kind = found.group(1).decode()
    count = 2 if function.name == "atomicCAS" else 1
    rest = rb",".join([_VALUES % found.group(1)] * count) + rb"\)\s*\Z"
    if kind not in _DECLARED[function.name] or not re.match(rest, code[found.end() : function.body]):
        return ""
    start = _start(code, function.start)
    if re.match(rb"template\b", code[start:]) or not _outermost(code, start):
        return ""
    return ", ".join([f"{kind}*", *[kind] * count])


def _start(code: bytes, attribute: int) -> int:
    """Where the definition begins whose attribute is given: `static inline` and the like may stand before it."""
    start = max(code.rfind(mark, 0, attribute) for mark in (b";", b"{", b"}")) + 1
    for line in _DIRECTIVE.finditer(code, start, attribute):
        start = line.end()
    return start + len(code[start:attribute]) - len(code[start:attribute].lstrip())


def _outermost(code: bytes, offset: int) -> bool:
    """Whether a place is in no braces but those of `extern "C"`."""
    opened: list[bool] = []
    for match in re.finditer(rb"[{}]", code[:offset]):
        if match.group() == b"{":
            opened.append(_OPENS.search(code, max(0, match.start() - 40), match.start()) is None)
        elif opened:
            opened.pop()
    return not any(opened)


RULE = Rule(
    _ID,
    "An atomic of one's own that HIP declares",
    ("A02", "A05"),
    "atomics",
    Provenance(
        "HIP amd_hip_atomic.h; CUDA C++ Programming Guide (atomicAdd by atomicCAS); pytorch_scatter, HeCBench",
        "all: compile error",
    ),
    _find,
)
