"""# named-barrier: a barrier by its number

CUDA has sixteen barriers a block: `__barrier_sync(id)`, `__barrier_sync_count(id, threads)`, PTX's `bar.sync id, n` and
`bar.arrive`. A part of a block, such as the warps that produce and those that consume, meets at one of them while the
others go on. AMD's `s_barrier` is one for the whole block; numbered ones come with gfx1250.

Number 0 of the whole block is `__syncthreads()`, and becomes that. The others are left to a person:

| of CUDA | what to do |
|---|---|
| all threads of the block take part | `__syncthreads()` |
| some threads, in whole waves of 64 | `cuda::barrier<cuda::thread_scope_block>` (`async-barrier` brings it by a shim) |
| some of the lanes of a wave | another division of the work: they would wait for each other and hang |

PTX's forms are told by `inline-ptx`, `__mbarrier_*` by their names, and a barrier in a branch of some 32-lane warps by
`half-wave-wait`. `nvcuda::experimental::awbarrier` is the forerunner of `cuda::barrier`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "named-barrier"
_USED = re.compile(rb"(?<![\w.])(__barrier_sync(?:_count)?)\s*\(")
_NAMES = re.compile(rb"(?<![\w.])__barrier_sync(?:_count)?(?!\w)")
_AWBARRIER = re.compile(rb"(?<![\w:])(?:::\s*)?nvcuda\s*::\s*experimental\s*::\s*awbarrier(?!\w)")
_STEP = (
    "__syncthreads() where all of the block meet; for some, in whole waves, cuda::barrier<cuda::thread_scope_block>, "
    "which a shim supplies"
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    own = calls.declared(unit.text, _NAMES)
    for match in _USED.finditer(unit.text.code):
        close = unit.text.close(match.end() - 1)
        if close < 0 or not unit.live(match.start()) or unit.function_at(match.start()) is None:
            continue
        name = match[1].decode()
        if name in own:
            continue
        arguments = unit.text.arguments(match.end() - 1, close)
        number = unit.macros.value(unit.text.word(*arguments[0])) if arguments else None
        span = (match.start(), close + 1)
        if name == "__barrier_sync" and number == 0:
            message = "`__barrier_sync(0)` is not in HIP: it is the block's own barrier"
            edits = (edit(unit, *span, b"__syncthreads()"),)
            yield finding(unit, _ID, span, message, edits=edits, family="sync")
            continue
        yield finding(
            unit,
            _ID,
            span,
            f"`{name}` meets at one of sixteen barriers: before gfx1250 AMD has one a block",
            safety=Safety.MANUAL,
            next_step=_STEP,
            family="sync",
        )
    for match in _AWBARRIER.finditer(unit.text.code):
        if unit.live(match.start()):
            yield finding(
                unit,
                _ID,
                match.span(),
                "`nvcuda::experimental::awbarrier` is not in HIP",
                safety=Safety.MANUAL,
                next_step="write cuda::barrier<cuda::thread_scope_block>, which a shim supplies",
                family="sync",
            )


RULE = Rule(
    _ID,
    "A barrier by its number",
    ("S06",),
    "sync",
    Provenance(
        "PTX ISA (bar, barrier); CUDA C++ Programming Guide; AMD ISA guides (s_barrier); LLVM AMDGPU usage (gfx1250)",
        "all but gfx1250",
    ),
    _find,
)
