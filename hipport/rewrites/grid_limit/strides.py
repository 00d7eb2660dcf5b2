"""Whether a kernel takes its blocks' numbers only for loops that stride over the whole grid."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit

_CAST = rb"(?:\([\w\s:]+\)\s*|static_cast\s*<[^<>]*>\s*)?\(?\s*"
_STEP = rb"[xyz]"
_INDEX = (
    rb"\(*(?:blockIdx\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockDim\.[xy]|blockDim\.[xy]\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockIdx\.x)\s*\)*\s*\+\s*threadIdx\.[xy]\s*\)*"
)
_WHOLE = (
    rb"(?:blockDim\.[xy]\s*\)?\s*\*\s*"
    + _CAST
    + rb"gridDim\.x|gridDim\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockDim\.[xy]|gridDim\.x)\s*\)*"
)
_THREADS = re.compile(
    rb"\bfor\s*\(\s*(?:const\s+)?[\w:]+(?:\s+[\w:]+)*?\s+(?P<i>\w+)\s*=\s*"
    + _CAST
    + rb"(?:"
    + _INDEX
    + rb"|\(*blockIdx\.x\s*\)*)\s*;[^;{}]*;\s*(?P=i)\s*\+=\s*"
    + _CAST
    + _WHOLE
    + rb"\s*\)"
)
_MACRO_LOOP = re.compile(rb"\bCUDA_(?:1D_)?KERNEL_LOOP(?:_TYPE)?\s*\(")
_BLOCK = re.compile(rb"\bblockIdx\b|\bgridDim\b|\bblock_rank\s*\(|\bgrid_rank\b|\bgroup_index\b")
_OTHER = re.compile(rb"\b(?:blockIdx|gridDim)\s*\.\s*[yz]\b")
_NAMED = (
    (re.compile(rb"\b[\w:]+\s+(?:const\s+)?(?P<name>\w+)\s*=\s*" + _CAST + _INDEX + rb"\s*;"), "start"),
    (re.compile(rb"\b[\w:]+\s+(?:const\s+)?(?P<name>\w+)\s*=\s*" + _CAST + _WHOLE + rb"\s*;"), "step"),
)


def whole(unit: Unit, launch: Launch) -> bool:
    """Whether each use of a block's number in the launched kernel is that of a grid-stride loop."""
    kernels = [f for f in unit.functions if f.kernel and f.name == launch.kernel]
    if len(kernels) != 1:
        return False
    kernel = kernels[0]
    reached = {key for c in unit.closures if c.start == kernel.start and c.path == unit.path for key in c.functions}
    bodies = [f for f in unit.functions if (f.path, f.start) in reached]
    if len(bodies) != len(reached):
        return False
    loops = 0
    for function in bodies:
        body = _OTHER.sub(b"", unit.text.code[function.body : function.end])
        found = len(_MACRO_LOOP.findall(body)) + len(_THREADS.findall(body))
        rest = _THREADS.sub(b"", body)
        if not found:
            found, rest = _by_name(rest)
        loops += found
        if _BLOCK.search(rest):
            return False
    return loops > 0


def _by_name(body: bytes) -> tuple[int, bytes]:
    """Loops whose start and step were put into variables: how many, and the body without them."""
    names = {}
    rest = body
    for pattern, role in _NAMED:
        found = pattern.search(rest)
        if found:
            names[role] = found["name"]
            rest = rest.replace(found.group(), b"", 1)
    if len(names) < 2:
        return 0, body
    begin, step = re.escape(names["start"]), re.escape(names["step"])
    counted = (
        rb"\bfor\s*\(\s*(?:[\w:]+(?:\s+[\w:]+)*?\s+(?P<i>\w+)\s*=\s*"
        + begin
        + rb")?\s*;[^;{}]*;\s*(?:(?P=i)|"
        + begin
        + rb")\s*\+=\s*"
        + step
        + rb"\s*\)"
    )
    return (1, rest) if re.search(counted.replace(b"(?:(?P=i)|", b"(?:\\w+|"), rest) else (0, body)
