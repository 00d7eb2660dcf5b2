"""# device-launch: a kernel that launches a kernel

HIP has no dynamic parallelism: `<<<>>>` in device code, and the device's `cudaDeviceSynchronize` and streams with it,
do not compile. Two ways out: let the host launch the second kernel after the first has said how much there is to do
(a counter that is copied back, or an upper bound with an early return), or let the blocks of one kernel take their
work from a queue in memory. hipCUB's device-wide algorithms are called by the host only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Safety
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "device-launch"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for launch in unit.launches:
        around = unit.function_at(launch.start)
        host = around is not None and b"__host__" in unit.text.code[around.start - 40 : around.body]
        if around is None or host or launch.macro or not unit.live(launch.start):
            continue
        yield finding(
            unit,
            _ID,
            (launch.start, launch.config[-1][1]),
            f"`{around.name}` launches `{launch.kernel}` from the GPU: HIP has no dynamic parallelism",
            safety=Safety.MANUAL,
            next_step="launch it from the host, or let the blocks take work from a queue in memory",
            family="launch",
        )


RULE = Rule(
    _ID,
    "A kernel that launches a kernel",
    ("L11",),
    "launch",
    Provenance("HIP C++ language extensions (dynamic parallelism is not supported)", "all AMD targets"),
    _find,
)
