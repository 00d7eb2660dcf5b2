"""# host-wave-constant: a wave constant of the device pass in host code

`__GFX9__` and its kin are defined in the device pass only. A constant that is 64 or 32 by them has, in host code,
the value of the branch that the host pass takes, whatever the GPU is: a launch sized by it is wrong on the other
kind of GPU, and a template argument picks the wrong instance. Ask the device: `hipDeviceGetAttribute(&n,
hipDeviceAttributeWarpSize, device)`, in PyTorch `at::cuda::warp_size()`; the shim `wave_width` has both sides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "host-wave-constant"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    names = unit.wave_constants
    if not names:
        return
    use = re.compile(rb"(?<![\w.])(?:\w+::)*(" + b"|".join(sorted(n.encode() for n in names)) + rb")(?!\w)")
    for host in unit.hosts:
        for match in use.finditer(unit.text.code, host.body, host.end):
            if unit.function_at(match.start()) is not None or not unit.compiled(match.start()):
                continue
            name = match.group(1).decode()
            yield finding(
                unit,
                _ID,
                match.span(),
                f"`{name}` is set by the device pass; in host code it is a placeholder, whatever the GPU is",
                safety=Safety.REVIEW,
                status=Status.REVIEW,
                next_step="ask the device for its warp size (hipDeviceAttributeWarpSize, at::cuda::warp_size())",
            )


RULE = Rule(
    _ID,
    "A wave constant of the device pass in host code",
    ("W19",),
    "warp",
    Provenance(
        "HIP C++ language extensions (__GFX9__ in the device pass only); FBGEMM PRs 6031 and 6037",
        "all",
    ),
    _find,
)
