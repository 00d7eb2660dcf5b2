"""# wait-polling: waiting for another block through plain or volatile memory

A loop that waits for a value which another block sets (decoupled look-back, a device-wide flag) and reads it
through `volatile`, `__ldcg` or a plain load: a plain load may stay in a cache or be hoisted out of the loop; a
volatile one is read anew from memory, but orders nothing that follows it, so what the other block wrote before it
set the flag may still be read stale from the caches of an MI300 or MI350, whose eight dies have an L2 each. Read
with `__hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)` and write with the matching release store,
or keep a `__threadfence()` on both sides. It also relies on the awaited block being resident: blocks that take
their number from an atomic counter at their start are safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.waits import WaitKind
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "wait-polling"
_COHERENT = (b"atomic", b"__hip_atomic", b".load(", b"->load(", b"acquire")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for wait in unit.waits:
        text = unit.text.data[wait.start : wait.end]
        if wait.kind is not WaitKind.BLOCK or not unit.live(wait.start) or any(word in text for word in _COHERENT):
            continue
        line_end = unit.text.data.find(b"\n", wait.start)
        end = wait.end if line_end < 0 else min(wait.end, line_end)
        yield finding(
            unit,
            _ID,
            (wait.start, end),
            "a loop waits for another block and orders nothing after it: what that block wrote may be read stale",
            safety=Safety.REVIEW,
            status=Status.REVIEW,
            family="sync",
            next_step="read with __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT), store to match",
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
