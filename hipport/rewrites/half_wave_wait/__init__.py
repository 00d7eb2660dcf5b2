"""# half-wave-wait: halves of one wave that wait for each other

A warp of 32 lanes is half of a wave64. Since Volta CUDA's warps, and even the lanes of one warp, make progress on
their own; the lanes of a wave do not: where they diverge, one side waits until the other comes back. So code in
which one half waits for what the other does may hang or go wrong on gfx9:

- `__syncthreads` or a named barrier in a branch that only some 32-lane warps take: the wave meets one barrier
  twice, or not at all;
- a spin lock taken by one lane of each warp, or by each thread: the holder waits for the spinner to leave the loop;
- a loop that spins until another warp of the block has set a value.

There is no rewrite that is right in general: this is left to a person, and nothing of the kernel's closure is
rewritten, because half of a port would hide it. On wave32 targets a warp is a wave; only a lock taken by each
thread is wrong there too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend.waits import WaitKind
from hipport.model import Safety
from hipport.rewrites.forms import finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "half-wave-wait"
_SAID = {
    WaitKind.BARRIER: (
        "a barrier in a branch that only some 32-lane warps take: a 64-lane wave meets it twice, or not at all",
        "move the barrier out of the branch, or give each role whole waves (64 threads)",
    ),
    WaitKind.LOCK: (
        "a spin lock that lanes of one wave contend for: the holder waits for the spinner, and the kernel hangs",
        "put the critical section and the release inside the loop, or let one lane of the wave take the lock",
    ),
    WaitKind.FLAG: (
        "a loop that waits for another warp: if both are halves of one wave, the kernel hangs",
        "give producer and consumer whole waves, or exchange by a barrier or a shuffle",
    ),
}


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for wait in unit.waits:
        if wait.kind not in _SAID or not unit.live(wait.start):
            continue
        if not wide(target) and wait.kind is not WaitKind.LOCK:
            continue
        message, step = _SAID[wait.kind]
        head = min(wait.end, unit.text.data.find(b"\n", wait.start) % (len(unit.text.data) + 1))
        yield finding(unit, _ID, (wait.start, max(head, wait.start)), message, safety=Safety.MANUAL, next_step=step)


RULE = Rule(
    _ID,
    "Halves of one wave that wait for each other",
    ("W17", "W25"),
    "warp",
    Provenance(
        "CUDA C++ Programming Guide (independent thread scheduling); HIP C++ language extensions; FBGEMM PR 5714",
        "wave64: hang; a lock of each thread: all",
    ),
    _find,
)
