"""# cooperative-launch: grids whose blocks must all be on the GPU at once

HIP has cooperative launches and `grid.sync()`. Every block of such a grid must be resident; a larger grid fails with
`hipErrorCooperativeLaunchTooLarge`. How many fit depends on the GPU: its number of compute units, the registers of
*its* code, its LDS and the wave. A grid that is a constant, or follows from the size of the data or from a number that
was found out on another GPU, may be too large on AMD, or leave most of it idle. Ask the occupancy API in the host code
that launches, and let the kernel loop over what does not fit:

`hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, lds)`, times `multiProcessorCount`.

A launch over several devices also wants the same kernel, grid and block on all of them; ROCm checks more of that than
CUDA does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import functions
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cooperative-launch"
_LAUNCH = re.compile(rb"(?<![\w.])(cu(?:da)?LaunchCooperativeKernel(MultiDevice)?)\s*\(")
_ASKS = re.compile(rb"[oO]ccupancy\w*|[mM]ax\w*[bB]locks\w*|co_?[rR]esident\w*")
_STEP = "size it by hipOccupancyMaxActiveBlocksPerMultiprocessor times multiProcessorCount, and loop in the kernel"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    calls = [m for m in _LAUNCH.finditer(unit.text.code) if unit.live(m.start())]
    if not calls:
        return
    hosts = list(functions.host_functions(unit.text, unit.functions, [m.start() for m in calls]))
    for match in calls:
        host = next((h for h in hosts if h.start <= match.start() < h.end), None)
        several = match.group(2) is not None
        start = host.start if host is not None else 0
        if not several and (host is None or _ASKS.search(unit.text.code, start, match.start())):
            continue
        name = match.group(1).decode()
        said = (
            f"`{name}` starts one grid on several devices: ROCm wants the same kernel, grid and block on each"
            if several
            else f"the grid of `{name}` follows from no occupancy: where it does not fit the launch fails"
        )
        close = unit.text.close(match.end() - 1)
        yield finding(
            unit,
            _ID,
            (match.start(), close + 1 if close > 0 else match.end()),
            said,
            safety=Safety.REVIEW,
            status=Status.REVIEW,
            family="launch",
            next_step="launch on one device after the other, and check each" if several else _STEP,
        )


RULE = Rule(
    _ID,
    "Grids whose blocks must all be on the GPU at once",
    ("S04",),
    "launch",
    Provenance(
        "HIP cooperative groups documentation (grid groups); HIP 7 changes (multi-device checks)", "all: launch error"
    ),
    _find,
)
