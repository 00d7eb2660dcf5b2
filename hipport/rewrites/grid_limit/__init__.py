"""# grid-limit: a grid that may reach 2^32 threads

A launch on AMD has fewer than 2^32 threads: its packet counts them in 32 bits. HIP refuses a grid that has more in one
dimension (`hipErrorInvalidConfiguration` or `hipErrorInvalidValue`), and one that has more in all was run wrongly. CUDA
counts blocks, up to 2^31 - 1 of them, and runs it. A program that does not ask for the error computes nothing.

Told here: a launch that can get there by the types of its sizes, with no cap in sight, and one whose constant sizes do.
The grid is followed through local variables, helpers and macros of the file, and through `dim3`:

| grid | block | reaches 2^32 threads |
|---|---|---|
| `(n + 255) / 256`, n an `int` | 256 | never: not told |
| the same, n an `int64_t`, `size_t`, `numel()`, `size(0)` | 256 | from 2^32 items on |
| `rows`, an `int` | 256 | from 16,777,216 rows on |
| `(rows * 32 + 255) / 256`, 64 bits | 256 | from 134,217,728 rows on |

Not told: a size that the kernel itself takes as 32 bits, one that a check (`TORCH_CHECK`, `assert`) holds down, one up
to which a local array of constant length is filled, a number of SMs, a product of blocks and threads that the host
puts into 32 bits for its memory, members of structures and results of functions in other files, whose types do not
show, a parameter that is itself a number of blocks, and grids of two dimensions with a thread for each element of a
table that is counted in 32 bits. A launch in a macro is judged where the macro is first used. An x that a helper
(`cap_grid_dim_x(blocks, threads)`) caps is told where y or z follow a size that the helper does not get. Launches of
one function that follow one size, and that are not edited, are one finding, which names their kernels; each kernel
that is edited has its own.

What is done, for sizes of 64 bits and those of tensors (a number of rows that is an `int` is told only, and only where
each has 128 threads or more): where every
block number of the kernel goes into a grid-stride loop (`i += blockDim.x * gridDim.x`, `CUDA_KERNEL_LOOP`) the grid is
capped, and the loop takes the rest. Else, where the kernel and all its launches are in one file, its blocks take turns:
it gets the number of blocks as its first argument, a loop goes around its body, `blockIdx.x` becomes the loop's number
and `return` becomes `continue`. Every block computes what it did, so index arithmetic, barriers and LDS stay right;
with LDS the turns are parted by a barrier. It is refused, with the reason, where blocks wait for each other, where
threads miss a barrier, and where something else may call the kernel.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from hipport.frontend import functions
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.grid_limit import loop, strides, threads
from hipport.rewrites.grid_limit.size import INT
from hipport.rewrites.grid_limit.sizes import COUNTS_BLOCKS, Sizes
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.rewrites.grid_limit.size import Size
    from hipport.rewrites.grid_limit.threads import Asked
    from hipport.targets import Target

_ID = "grid-limit"
_LIMIT = "max_grid_total_threads"
_MANY = 128  # threads for each item of a size that is no tensor's, below which nothing is told
_NAMED = 4  # kernels in a message
_NARROW = re.compile(r"\b(?:u?int32_t|int|unsigned|uint|short)\b(?!64)")
_WIDE_TYPE = re.compile(r"64_t|\blong\b|size_t|index_t|\*|&|<")
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\([^)\n]*\)(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE)
_SETS = re.compile(rb"\bdim3\s+\w|(?<![=!<>])=(?!=)")  # a macro that sets sizes itself
_PRODUCT = re.compile(rb"\b(?:unsigned(?:\s+int)?|u?int32_t|u?int)\s+\w+\s*=\s*((?:[\w\s]|\*|sizeof\s*\([\w\s]*\))*);")
_CHECKED = re.compile(
    rb"(?:CHECK|ASSERT|assert|throw|if)\b[^;{}]*(?:uint32_t\s*>\s*::\s*max|UINT_MAX|<<\s*32|4294967\d{3}|0x1?[fF0]{8})"
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows(_LIMIT):
        return
    limit = target.number(_LIMIT)
    told: set[tuple[str, str, int]] = set()
    looped: set[str] = set()
    alike: dict[tuple[int, str, str], list[tuple[Launch, Finding]]] = {}
    for launch in unit.launches:
        if not unit.live(launch.start) or len(launch.config) < 2 or unit.function_at(launch.start) is not None:
            continue
        host = unit.host_at(launch.start)
        key = (launch.kernel, unit.text.word(*launch.config[0]), host.start if host else launch.start)
        if launch.kernel in looped:  # the first finding of a kernel edits all its launches
            continue
        for found in _judged(unit, launch, limit):
            if found.edits:
                yield found
            elif key not in told:  # the instances of a dispatch are told once
                said = found.message.replace(f"`{launch.kernel}`", "")
                alike.setdefault((key[2], said, found.next_step), []).append((launch, found))
            if any(b"hipport_block" in e.text for e in found.edits):
                looped.add(launch.kernel)
            told.add(key)
    yield from (_joined(group) for group in alike.values())


def _joined(group: list[tuple[Launch, Finding]]) -> Finding:
    """One finding for launches of a function that follow the same size, and that are not edited."""
    first, found = group[0]
    others = dict.fromkeys(launch.kernel for launch, _ in group[1:] if launch.kernel != first.kernel)
    if not others:
        return found
    named = ", ".join(f"`{name}`" for name in list(others)[:_NAMED])
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return found._replace(message=f"{found.message}; so does that of {named}{more}")


def _judged(unit: Unit, launch: Launch, limit: int) -> Iterator[Finding]:
    known = [g * b for g, b in zip(launch.grid, launch.block, strict=True) if g is not None and b is not None]
    if known and max(known) > limit:
        message = f"a launch of `{launch.kernel}` has {max(known)} threads in a dimension: HIP takes less than 2^32"
        yield _offered(unit, launch, message, limit)
        return
    if launch.grid[0] is not None:
        return
    start, at = _place(unit, launch)
    sizes = Sizes(unit.text, unit.macros, start)
    grids = sizes.parts(unit.text.word(*launch.config[0]), at)
    asked = threads.asked(sizes, launch, grids, at)
    if asked is None or asked.threads <= 2 * limit or (not asked.sized and 0 < asked.each < _MANY):
        return
    if not asked.beside and _cut(unit, launch, grids[0]) and (asked.loose or INT * (asked.each or limit) <= 2 * limit):
        return  # a thread or so for each of what the kernel counts by 32 bits
    if "(" not in asked.source and all(COUNTS_BLOCKS.search(part) for part in asked.source.split(" * ")):
        return  # the caller chose the launch, not the data
    if _CHECKED.search(unit.text.code, start, at) or _multiplied(unit, launch, sizes, grids[0], at):
        return
    told_only = asked.beside or not asked.sized or not start <= launch.start
    found = _offered(unit, launch, _message(launch, asked, limit), 0 if told_only else limit)
    yield found._replace(next_step="count the threads of y and z into the cap") if asked.beside else found


def _place(unit: Unit, launch: Launch) -> tuple[int, int]:
    """From where, and up to where, the sizes of a launch are set: in its function, or in one that uses its macro."""
    host = unit.host_at(launch.start)
    if host is not None:
        return host.start, launch.start
    code = unit.text.code
    inside = next((m for m in _DEFINED.finditer(code) if m.start() < launch.start < m.end()), None)
    if inside is not None and not _SETS.search(code, inside.start(), launch.start):
        use = re.compile(rb"(?<![\w#])" + re.escape(inside["name"]) + rb"[ \t]*\(").search(code, inside.end())
        hosts = functions.host_functions(unit.text, unit.functions, [use.start()]) if use else ()
        for function in hosts:
            return function.start, use.start() if use else launch.start
    return code.rfind(b"\n}", 0, launch.start) + 1, launch.start


def _cut(unit: Unit, launch: Launch, grid: Size) -> bool:
    """Whether the kernel takes the number that its grid follows as 32 bits."""
    kernels = [f for f in unit.functions if f.kernel and f.name == launch.kernel]
    if len(kernels) != 1 or not grid.source or " * " in grid.source:
        return False
    opening = unit.text.code.find(b"(", unit.text.code.find(launch.kernel.encode(), kernels[0].start))
    close = unit.text.close(opening) if 0 <= opening < kernels[0].body else -1
    declared = [unit.text.word(*piece) for piece in unit.text.arguments(opening, close)] if close > 0 else []
    words = (set(re.findall(r"[A-Za-z_]\w*", grid.source)) | grid.names) - {"size", "numel", "sizes"}
    for spelled, piece in zip(declared, launch.arguments, strict=False):
        given = set(re.findall(r"[A-Za-z_]\w*", unit.text.word(*piece)))
        if words & given and _NARROW.search(spelled) and not _WIDE_TYPE.search(spelled):
            return True
    return False


def _multiplied(unit: Unit, launch: Launch, sizes: Sizes, grid: Size, at: int) -> bool:
    """Whether the host itself puts the product of a grid and a block of variables into 32 bits: memory of the data."""
    block = sizes.parts(unit.text.word(*launch.config[1]), at)[0]
    wanted = {*grid.source.split(" * "), *block.source.split(" * ")}
    if not grid.source or not block.source or grid.per > 1 or block.per > 1:
        return False
    for match in _PRODUCT.finditer(unit.text.code, sizes.start, at):
        if wanted <= {factor.strip() for factor in match.group(1).decode("utf-8", "replace").split("*")}:
            return True
    return False


def _message(launch: Launch, asked: Asked, limit: int) -> str:
    if asked.beside:
        return (
            f"the grid of `{launch.kernel}` is capped in x alone: with y and z, which follow `{asked.source}`, it can "
            "have 2^32 threads, which HIP refuses"
        )
    when = f"from {math.ceil((limit + 1) / asked.each):,} on it has" if asked.each else "it can have"
    return (
        f"the grid of `{launch.kernel}` follows `{asked.source}` without a cap: {when} 2^32 threads, which HIP refuses"
    )


def _offered(unit: Unit, launch: Launch, message: str, limit: int) -> Finding:
    """The finding, with the edits that can be made; no limit: they are left to a person."""
    edits: tuple[Edit, ...] = ()
    try:
        if not limit:
            edits, step = (), "if that many can come, cap the grid and let the kernel loop over the rest"
        elif strides.whole(unit, launch):
            edits, step = loop.capped(unit, launch, limit), "the kernel loops over the whole grid: a cap is enough"
        else:
            edits, step = loop.looped(unit, launch, limit), "its blocks take turns on a grid that is capped"
    except loop.RefusedError as refused:
        step = (
            f"cap the grid, and let the kernel loop over the rest with a stride of the whole grid (not done: {refused})"
        )
    return finding(
        unit,
        _ID,
        launch.config[0],
        message,
        edits=edits,
        safety=Safety.REVIEW,
        status=None if edits else Status.REVIEW,
        next_step=step,
        family="launch",
    )


RULE = Rule(
    _ID,
    "A grid that may reach 2^32 threads",
    ("L05",),
    "launch",
    Provenance(
        "HIP documentation (grid limits); ROCm/rocm-systems issues 2372, 2374; cupy PR 9746; ROCm/hip issue 2253",
        "all AMD targets",
    ),
    _find,
)
