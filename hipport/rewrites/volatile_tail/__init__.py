"""# volatile-tail: the last steps of a reduction without a barrier

`s[t] += s[t + 16]; s[t] += s[t + 8]; ...` by the first 32 threads relies on the lanes of a warp going in step. CUDA
has not promised that since Volta. An AMD wave does go in step, and with `volatile` the compiler keeps the LDS
accesses in order: that works, and is no finding. Without `volatile` nothing keeps the order, and the steps race.
Put `__syncwarp()` between reading and writing of each step, or reduce with shuffles.
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

_ID = "volatile-tail"
# s[t] += s[t + 8];   s[t] = s[t] + s[t + 8];   s[t] = max(s[t], s[t + 8]);
_STEP = re.compile(rb"(\w+)\s*\[\s*(\w+)\s*\]\s*(?:[-+*|&^]?=)[^;=]*?(?<!\w)\1\s*\[\s*\2\s*\+\s*(\d+)\s*\][^;]*;")
_BETWEEN = re.compile(rb"\s*(?:\}\s*)?(?:if\s*\([^;{}]*\)\s*\{?\s*)?\Z")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for function in unit.functions:
        if not unit.live(function.start):
            continue
        run: list[re.Match[bytes]] = []
        for step in [*_STEP.finditer(unit.text.code, function.body, function.end), None]:
            joined = step is not None and run and _follows(unit, run[-1], step)
            if not joined:
                if len(run) >= 3 and not _kept(unit, function.start, run[0]):
                    yield _told(unit, run)
                run = []
            if step is not None:
                run.append(step)


def _follows(unit: Unit, before: re.Match[bytes], step: re.Match[bytes]) -> bool:
    same = before.group(1) == step.group(1) and int(step.group(3)) * 2 == int(before.group(3))
    return same and _BETWEEN.match(unit.text.code, before.end(), step.start()) is not None


def _kept(unit: Unit, start: int, first: re.Match[bytes]) -> bool:
    """Whether the array is volatile in that function: the compiler keeps its accesses in order."""
    declared = re.compile(rb"volatile\b[^;,()]*[\s*&]" + re.escape(first.group(1)) + rb"\b")
    return declared.search(unit.text.code, start, first.start()) is not None


def _told(unit: Unit, run: list[re.Match[bytes]]) -> Finding:
    name = run[0].group(1).decode("utf-8", "replace")
    return finding(
        unit,
        _ID,
        (run[0].start(), run[-1].end()),
        f"the last steps of a reduction in `{name}` race: neither `volatile` nor `__syncwarp()` keeps them in order",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step="put __syncwarp() between the read and the write of each step, or use shuffles",
    )


RULE = Rule(
    _ID,
    "The last steps of a reduction without a barrier",
    ("W15",),
    "warp",
    Provenance("CUDA C++ Programming Guide (independent thread scheduling); kokkos PR 9511", "all"),
    _find,
)
