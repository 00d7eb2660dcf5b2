"""# block-bounds: the threads that a kernel is compiled for, and those that it is launched with

`__launch_bounds__(N)` lets the compiler give a thread the registers that N threads leave it. A launch with more
threads than N fails, with CUDA too (`cudaErrorInvalidValue`), but HIP calls it `hipErrorLaunchFailure`, the error of
a kernel that crashed; a block of more than 1,024 threads fails everywhere. Both are told where the block is a
constant, also through `dim3`, macros and the template's arguments that the launch spells out. A program that never
asks for errors goes on with what was in memory.

A kernel without bounds is compiled for 1,024 threads, unlike with nvcc, which takes the registers that the code needs
and leaves a block that does not fit to the launch (`cudaErrorLaunchOutOfResources`). 1,024 threads are 4 waves of 64
on each SIMD of gfx90a and later, so a thread gets 128 registers of 512, however small the blocks of its launches are;
what does not fit goes to memory ("spills"). Where every launch has a constant block of 512 threads or fewer, its size
belongs into
`__launch_bounds__`.

That is advice, and told only where it can matter: where the kernel's own variables (numbers, and arrays whose elements
are picked by constants and loop counters, so that they can live in registers) come to three quarters of those 128
registers. On HeCBench these are 11 of the 849 kernels that have constant blocks of 512 threads or fewer and no bounds.
Compiled for gfx942 both ways, 5 of the 11 spill less or no longer (1,492 registers to 466, 110 to 0), 4 take more
registers than they could have, 2 stay as they are; of 59 others 2 spilled, whose types no header in reach defines.
What the edit does to `cases/tile.cu`, in blocks of 256 threads (`hipport compile`, and `hipport run --profile`):

| gfx942 and gfx950 | VGPRs | spilled | scratch of a lane | moved to and from it by two blocks |
|---|---|---|---|---|
| as it stands | 128 | 69 | 168 bytes | 913,408 bytes |
| with `__launch_bounds__(256)` | 164 | 0 | 0 | 0 |

With `--optimize` the bound is written where all launches are known: the kernel is `static`, in a namespace without a
name, a template that this file alone has, or stands beside `main`; its name is used for nothing but launches with
constant blocks of whole waves, which no other rewrite makes larger, and questions about occupancy. Names of constants
that the kernel can see stay names. Else it is told only: a kernel that a header declares, or one with a C name, may be
launched by another file with more threads, and that launch would fail. Nothing is told where a launch has a block that
is no constant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hipport.model import Purpose, Safety, Status
from hipport.rewrites.block_bounds import bound, pressure
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "block-bounds"
_MOST = 512  # threads of a block, above which the bound that is missing costs less than half of the registers
_SHARE = 3, 4  # of the registers that a kernel without bounds gets: below it its variables fit
_UNBOUND = 1024  # threads that clang compiles a kernel for (--gpu-max-threads-per-block)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    kernels = bound.kernels(unit)
    told: set[tuple[str, int]] = set()
    for launch in unit.launches:
        threads = bound.threads(launch)
        if threads is None or (launch.kernel, threads) in told or not unit.live(launch.start):
            continue
        for found in _exceeded(unit, target, launch, kernels.get(launch.kernel), threads):
            if bound.steady(unit, launch):
                told.add((launch.kernel, threads))
                yield found
    if not target.knows("vgprs_per_simd_lane"):
        return
    for kernel in kernels.values():
        if unit.live(kernel.start):
            yield from _unbound(unit, target, kernel)


def _exceeded(unit: Unit, target: Target, launch: Launch, kernel: Function | None, threads: int) -> Iterator[Finding]:
    """A launch with more threads than the GPU, or the kernel's bound, allows."""
    most, step = target.max_threads_per_block, "launch smaller blocks, each thread doing the work of several"
    said = f"a block of {threads} threads: no GPU takes more than {most}, the launch fails"
    if threads <= most:
        declared = bound.declared(unit, kernel, launch) if kernel is not None else None
        if declared is None or threads <= declared:
            return
        step = f"declare `{launch.kernel}` with __launch_bounds__({threads}), or launch at most {declared} threads"
        said = (
            f"a block of {threads} threads for `{launch.kernel}`, whose __launch_bounds__ is {declared}: the launch "
            "fails, on CUDA by cudaErrorInvalidValue, on HIP by hipErrorLaunchFailure"
        )
    yield finding(
        unit,
        _ID,
        launch.config[1],
        said,
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step=step,
        family="launch",
        crosses=False,
    )


def _unbound(unit: Unit, target: Target, kernel: Function) -> Iterator[Finding]:
    """A kernel that is compiled for more threads than it is ever launched with, and has use for their registers."""
    launches = bound.launches(unit, kernel)
    blocks = {threads for launch in launches if (threads := bound.threads(launch)) is not None}
    if not blocks or max(blocks) > _MOST or bound.bounded(unit, kernel) or bound.others(unit, kernel, launches):
        return
    threads = max(blocks)
    few, many = (_registers(target, n) for n in (_UNBOUND, threads))
    words = pressure.words(unit, kernel, launches)
    if few >= many or _SHARE[1] * words < _SHARE[0] * few:
        return
    edits: tuple[Edit, ...] = ()
    try:
        at, text = bound.written(unit, kernel, launches)
        edits, step = (edit(unit, at, at, text),), "compare registers and spills with `hipport compile`"
    except bound.RefusedError as refused:
        step = f"write __launch_bounds__({threads}) if no launch has more (not done: {refused})"
    yield finding(
        unit,
        _ID,
        (kernel.start, kernel.body),
        f"`{kernel.name}` is launched with {threads} threads and compiled for {_UNBOUND}: {few} registers a thread "
        f"instead of {many}, for {words} words of variables",
        edits=edits,
        safety=Safety.REVIEW,
        status=None if edits else Status.REVIEW,
        purpose=Purpose.PERFORMANCE,
        next_step=step,
        family="launch",
        crosses=False,
    )


def _registers(target: Target, threads: int) -> int:
    """Vector registers that a thread can have where so many threads must fit at once."""
    simds = target.number("simds_per_cu") * target.number("lds_shared_by_cus")
    waves = math.ceil(math.ceil(threads / target.warp_size) / simds)
    file, arch = target.number("vgprs_per_simd_lane"), target.number("vgpr_arch_max_per_thread")
    most = 2 * arch if target.fact("vgpr_agpr_unified").value else arch
    granule = target.number("vgpr_alloc_granule")
    return min(file // waves // granule * granule, most)


RULE = Rule(
    _ID,
    "The threads that a kernel is compiled for",
    ("L02",),
    "launch",
    Provenance(
        "HIP C++ language extensions (launch bounds); clang --gpu-max-threads-per-block; CUDA C++ Programming Guide "
        "(launch bounds); ROCm/clr hip_module.cpp (ihipLaunchKernel_validate)",
        "all: launch error, registers",
    ),
    _find,
)
