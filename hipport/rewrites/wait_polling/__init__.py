"""# wait-polling: waiting for another block through plain or volatile memory

A loop that waits for a value which another block sets (decoupled look-back, a device-wide flag, a barrier of all blocks
made by hand), by memory that it reads

- plainly: the compiler may read it once, before the loop, which then never ends;
- through `volatile`, `__ldcg` or `__ldcv`: it is read anew in each turn, but orders nothing that follows it, so what
  the other block wrote before it set the flag may still be read stale from the caches of an MI300 or MI350, whose eight
  dies have an L2 each. A `__threadfence()` right after the loop (not in it) mends that, and such a loop is not told.

What is done: the read becomes `__hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)`, where it is the
loop's only one, of an integer, and the blocks of the launch tell each other: by a block's number, by the number of
blocks, or by a write of the same kernel. Elsewhere the host may be who writes, and needs
`__HIP_MEMORY_SCOPE_SYSTEM` and fine-grained memory: that is left to a person, as is `__ldcg`, whose shim reads as an
atomic already.

The other side is not changed: `__threadfence()` before the write of a volatile, or a release store, is right on AMD.
All of it also relies on the awaited block being resident: blocks that take their number from an atomic counter at
their start are safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.waits import WaitKind
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule
from hipport.rewrites.wait_polling.polled import polled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "wait-polling"
_COHERENT = (b"atomic", b"__hip_atomic", b".load(", b"->load(", b"acquire")
_STALE = "a loop waits for another block and orders nothing after it: what that block wrote may be read stale"
_ONCE = "a loop waits for another block by memory that the compiler may read once, before the loop"
_STEP = "read with __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT), store to match"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for wait in unit.waits:
        text = unit.text.data[wait.start : wait.end]
        if wait.kind is not WaitKind.BLOCK or not unit.live(wait.start) or any(word in text for word in _COHERENT):
            continue
        read = polled(unit, wait)
        if read is not None and read.fresh and read.fenced:
            continue
        line_end = unit.text.data.find(b"\n", wait.start)
        end = wait.end if line_end < 0 else min(wait.end, line_end)
        edits = read.edits if read is not None else ()
        yield finding(
            unit,
            _ID,
            (wait.start, end),
            _ONCE if read is not None and not read.fresh else _STALE,
            edits=edits,
            safety=Safety.REVIEW,
            status=Status.REWRITTEN if edits else Status.REVIEW,
            family="sync",
            next_step="store to match: __threadfence() before a volatile store, or __hip_atomic_store with RELEASE"
            if edits
            else _STEP + "; SYSTEM and fine-grained memory where the host writes",
            crosses=False,
        )


RULE = Rule(
    _ID,
    "Waiting for another block through plain or volatile memory",
    ("S08", "S09"),
    "sync",
    Provenance(
        "LLVM AMDGPU usage (memory model gfx942); HIP C++ language extensions; FBGEMM PR 5714 (bounded spin)",
        "gfx942, gfx950: several L2 caches; all: order and forward progress",
    ),
    _find,
)
