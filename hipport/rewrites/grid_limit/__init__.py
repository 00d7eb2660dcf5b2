"""# grid-limit: a grid that may reach 2^32 threads

HIP refuses a launch whose grid times block, in any dimension, has 2^32 threads or more (`hipErrorInvalidConfiguration`
or `hipErrorInvalidValue`); CUDA counts blocks, up to 2^31 - 1 of them, and runs it. A program that does not ask for
the error computes nothing, in silence.

Told here: a launch whose grid follows a 64-bit size (`int64_t`, `size_t`, `numel()`, `size(0)`) with no cap in sight,
and one whose constant sizes exceed the limit. Where every block number of the kernel goes into a grid-stride loop
(`i += blockDim.x * gridDim.x`, `CUDA_KERNEL_LOOP`) the grid is capped: the loop takes the rest. Any other kernel needs
the loop first: `return` becomes `continue`, and a barrier inside must be reached by every thread in every turn. Sizes
that were put into 32 bits are left alone: divided by the block they cannot reach the limit; with a block for each row
they can, from 2^32 / threads rows on, which is not told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.grid_limit import sizes
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "grid-limit"
_LIMIT = "max_grid_total_threads"
_CAST = rb"(?:\([\w\s:]+\)\s*|static_cast\s*<[^<>]*>\s*)?\(?\s*"
_STRIDE = re.compile(
    rb"\bfor\s*\(\s*(?:const\s+)?[\w:]+(?:\s+[\w:]+)*?\s+(?P<i>\w+)\s*=\s*"
    + _CAST
    + rb"\(*(?:blockIdx\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockDim\.x|blockDim\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockIdx\.x)\s*\)*\s*\+\s*threadIdx\.x\s*\)*\s*;[^;{}]*;\s*(?P=i)\s*\+=\s*"
    + _CAST
    + rb"(?:blockDim\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"gridDim\.x|gridDim\.x\s*\)?\s*\*\s*"
    + _CAST
    + rb"blockDim\.x)\s*\)*\s*\)"
)
_MACRO_LOOP = re.compile(rb"\bCUDA_(?:1D_)?KERNEL_LOOP(?:_TYPE)?\s*\(")
_BLOCK = re.compile(rb"\bblockIdx\b|\bgridDim\b|\bblock_rank\s*\(|\bgrid_rank\b|\bgroup_index\b")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows(_LIMIT):
        return
    limit = target.number(_LIMIT)
    told: set[tuple[str, str, int]] = set()
    for launch in unit.launches:
        if not unit.live(launch.start) or len(launch.config) < 2:
            continue
        for found in _judged(unit, launch, limit):
            host = unit.host_at(launch.start)
            key = (launch.kernel, unit.text.word(*launch.config[0]), host.start if host else launch.start)
            if found.edits or key not in told:  # the instances of a dispatch are told once
                yield found
            told.add(key)


def _judged(unit: Unit, launch: Launch, limit: int) -> Iterator[Finding]:
    known = [g * b for g, b in zip(launch.grid, launch.block, strict=True) if g is not None and b is not None]
    if known and max(known) > limit:
        message = f"a launch of `{launch.kernel}` has {max(known)} threads in a dimension: HIP takes less than 2^32"
        yield _told(unit, launch, message, "launch it in parts, or loop in the kernel", Safety.MANUAL)
        return
    if launch.grid[0] is not None:
        return
    grid = unit.text.word(*launch.config[0])
    host = unit.host_at(launch.start)
    within = (host.start if host else unit.text.code.rfind(b"\n}", 0, launch.start) + 1, launch.start)
    full = sizes.expanded(unit.text, grid, within)
    counted = sizes.expanded(unit.text, grid, within, narrow=False)
    source = sizes.wide_size(unit.text, counted, within)
    if not source or sizes.capped(unit.text, full):
        return
    message = (
        f"the grid of `{launch.kernel}` follows a 64-bit size (`{source}`) without a cap: HIP refuses 2^32 threads"
    )
    if not _strides(unit, launch):
        step = "cap the grid, and let the kernel loop over the rest with a stride of the whole grid"
        yield _told(unit, launch, message, step, Safety.REVIEW)
        return
    most = _cap(unit, launch, limit)
    edits: tuple[Edit, ...] = ()
    if most:
        text = unit.text.data[launch.config[0][0] : launch.config[0][1]].decode("utf-8", "replace")
        capped = f"static_cast<unsigned>(({text}) < {most} ? ({text}) : {most})"
        edits = (edit(unit, *launch.config[0], capped.encode()),)
    yield finding(
        unit,
        _ID,
        launch.config[0],
        message,
        edits=edits,
        safety=Safety.REVIEW,
        status=None if edits else Status.REVIEW,
        next_step="the kernel loops over the whole grid: a cap is enough",
        family="launch",
    )


def _told(unit: Unit, launch: Launch, message: str, step: str, safety: Safety) -> Finding:
    status = Status.MANUAL if safety is Safety.MANUAL else Status.REVIEW
    place = launch.config[0]
    return finding(unit, _ID, place, message, safety=safety, status=status, next_step=step, family="launch")


def _cap(unit: Unit, launch: Launch, limit: int) -> int:
    """The most blocks of a launch whose grid is a plain expression without calls and whose block is known; else 0."""
    grid = unit.text.word(*launch.config[0])
    block = launch.block
    if re.search(r"dim3|\w\s*\(|\+\+|--|=|\{", grid) or None in block or unit.function_at(launch.start) is not None:
        return 0
    declared = re.compile(rb"\bdim3\s[^;]*(?<!\w)" + re.escape(grid.strip().encode()) + rb"(?!\w)")
    if re.fullmatch(r"\w+", grid.strip()) and declared.search(unit.text.code, 0, launch.start):
        return 0
    threads = (block[0] or 1) * (block[1] or 1) * (block[2] or 1)
    return limit // threads


def _strides(unit: Unit, launch: Launch) -> bool:
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
        body = unit.text.code[function.body : function.end]
        loops += len(_MACRO_LOOP.findall(body)) + len(_STRIDE.findall(body))
        if _BLOCK.search(_STRIDE.sub(b"", body)):
            return False
    return loops > 0


RULE = Rule(
    _ID,
    "A grid that may reach 2^32 threads",
    ("L05",),
    "launch",
    Provenance(
        "HIP documentation (grid limits); ROCm/clr hip_module.cpp; ROCm/hip issue 2253; FBGEMM's launch limit fixes",
        "all AMD targets",
    ),
    _find,
)
