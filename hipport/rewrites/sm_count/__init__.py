"""# sm-count: work divided by the SMs of an NVIDIA GPU

A number of blocks that fills the 108, 132 or 148 SMs of A100, H100 or B200, written as a number, leaves most of an
AMD GPU idle: MI300X has 304 compute units, MI350X 256, in 8 dies with an L2 cache each. Ask the device
(`hipDeviceAttributeMultiprocessorCount`). Blocks go round the dies one by one: blocks that share data have numbers
that differ by 8.

`hipOccupancyMaxActiveBlocksPerMultiprocessor` leaves the granule of LDS out of account (512 bytes on gfx942, 1,280 on
gfx950): for a kernel with much LDS it may say one block too many, and a grid made of it has blocks that wait for
others to end. A grid that synchronises (`hipLaunchCooperativeKernel`) is checked by the runtime; one that spins on
its own is not.

Advice only. The number must stand where it is named for the SMs (`num_sms = 132`, `kNumSM`), or be what a grid is
capped by beside such a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "sm-count"
_NAME = rb"(?:[A-Za-z]\w*_)?(?:k?[nN]um_?|NUM_?|n_?|N_?)?(?:SMs?|sms?|SM_?(?:COUNT|NUM)|sm_?(?:count|num))(?![a-z])\w*"
_SET = re.compile(
    rb"(?<![\w.])(?P<name>" + _NAME + rb")\s*(?:=(?!=)|\{|\s)\s*(?P<value>\d{2,3})\b(?!\s*(?:\*\s*1024|<<|\.|[%/]))"
)
_SMS = frozenset(
    {56, 64, 68, 72, 78, 80, 82, 84, 108, 114, 128, 132, 142, 144, 148, 152, 160}
)  # of NVIDIA GPUs since Pascal
_ASKED = re.compile(rb"(?<!\w)cudaOccupancyMaxActiveBlocksPerMultiprocessor(?:WithFlags)?\s*(?:<[^;{}()]*>)?\s*\(")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for match in _SET.finditer(unit.text.code):
        if int(match["value"]) in _SMS and unit.live(match.start()) and _is_count(match["name"]):
            yield advice(
                unit,
                _ID,
                match.span("value"),
                f"{match['value'].decode()} SMs are an NVIDIA GPU's: MI300X has 304 compute units, MI350X 256",
                "ask the device (hipDeviceAttributeMultiprocessorCount)",
                family="launch",
            )
    if b"__shared__" not in unit.text.code and b"extern" not in unit.text.code:
        return
    for match in _ASKED.finditer(unit.text.code):
        if unit.live(match.start()) and unit.function_at(match.start()) is None:
            yield advice(
                unit,
                _ID,
                (match.start(), match.end() - 1),
                "HIP's occupancy leaves the granule of LDS out: for a kernel with much LDS it may be a block too high",
                "take one block less where the grid must be there at once, or launch it cooperatively",
                family="launch",
            )


def _is_count(name: bytes) -> bool:
    """Whether a name means a number of SMs: `sm_80` and `smem` do not."""
    return re.search(rb"(?i)(?:num|count|n)_?sms?|sms?_?(?:num|count)|\bsms\b|_sms\b|SMs\b|\bSM_?NUM", name) is not None


RULE = Rule(
    _ID,
    "Work divided by the SMs of an NVIDIA GPU",
    ("L07", "L08"),
    "launch",
    Provenance("AMD Instinct MI300X and MI350X data sheets; ROCm/clr hip_platform.cpp (occupancy)", "all AMD targets"),
    _find,
)
