"""# fixed-wave: an AMD branch for one width of wave

A person's own AMD code (`#ifdef USE_ROCM`, `__HIP_PLATFORM_AMD__`, a `.hip` file) that says 64 for the wave is right on
gfx9 and wrong on gfx10 to gfx12, whose wave has 32 lanes: lanes 32-63 do not exist there, a launch of 64 threads a row
is two waves, a shuffle over 32 lanes' distance returns the lane's own value. The other way round, an AMD branch that
says 32 meets 64 lanes on gfx9. In a build for several GPUs one of them is wrong in silence. This is told only where
such a target is asked for:

- a constant of the wave's width with one value for every AMD GPU, and host code that sizes a launch by it;
- `static_assert` of that width: it does not compile on the other;
- a shuffle by 32 lanes, or with width 64, on a wave of 32.

Let the device pass decide (`#if defined(__GFX9__)` 64, else 32), and ask the device in host code:
`hipDeviceAttributeWarpSize`, in PyTorch `at::cuda::warp_size()`. The shim `wave_width` has both. Nothing is rewritten:
it is the author's own code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, macros
from hipport.frontend.branches import Side
from hipport.model import Safety, Status
from hipport.rewrites.forms import LOGICAL_WARP, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "fixed-wave"
_SHUFFLE = re.compile(rb"(?<![\w#])__shfl(?:_up|_down|_xor)?(?:_sync)?(?!\w)")
_ASSERTED = re.compile(
    rb"(?<!\w)static_assert\s*\(\s*(?:\w+\s*::\s*)*(\w*(?i:warp|wave)_?(?i:size|width)\w*)\s*==\s*(32|64)\b"
)
_DEVICE = "let the device pass decide by __GFX9__ (shim wave_width)"
_HOST = "ask the device for its warp size (hipDeviceAttributeWarpSize, at::cuda::warp_size())"


def _authors(unit: Unit, offset: int) -> bool:
    """Whether the code at an offset is a person's own code for AMD."""
    side = unit.branches.at(offset)
    return side is Side.AMD or (unit.native and side is Side.BOTH)


def _told(unit: Unit, span: tuple[int, int], message: str, step: str, safety: Safety = Safety.MANUAL) -> Finding:
    status = Status.MANUAL if safety is Safety.MANUAL else Status.REVIEW
    return finding(unit, _ID, span, message, safety=safety, status=status, next_step=step)


def _constants(unit: Unit, target: Target) -> Iterator[Finding]:
    for fixed in macros.fixed_widths(unit.text, native=unit.native):
        wide = fixed.value > LOGICAL_WARP
        if fixed.value != target.warp_size and (wide or not unit.native):
            there = f"a wave of {target.name} has {target.warp_size} lanes"
            message = f"`{fixed.name}` is {fixed.value} for every AMD GPU: {there}"
            yield _told(unit, (fixed.start, fixed.end), message, _DEVICE)


def _hosts(unit: Unit, target: Target) -> Iterator[Finding]:
    """Host code that uses a constant which is wrong for a target."""
    names = sorted(name for name, value in unit.macros.fixed.items() if value != target.warp_size)
    if not names or unit.native:
        return
    use = re.compile(rb"(?<![\w.])(?:\w+::)*(" + "|".join(names).encode() + rb")(?!\w)")
    for host in unit.hosts:
        for match in use.finditer(unit.text.code, host.body, host.end):
            if unit.function_at(match.start()) is None and unit.compiled(match.start()):
                name = match.group(1).decode()
                message = (
                    f"host code sizes by `{name}`, {unit.macros.fixed[name]} for every AMD GPU, on {target.name} too"
                )
                yield _told(unit, match.span(), message, _HOST, Safety.REVIEW)


def _asserts(unit: Unit, target: Target) -> Iterator[Finding]:
    for match in _ASSERTED.finditer(unit.text.code):
        if _authors(unit, match.start()) and int(match.group(2)) != target.warp_size:
            name = match.group(1).decode()
            message = f"`{name} == {int(match.group(2))}` is asserted for AMD: it fails on the wave of {target.name}"
            yield _told(unit, match.span(), message, "write the code for both widths, or guard it by the target")


def _shuffles(unit: Unit, target: Target) -> Iterator[Finding]:
    """Shuffles that need 64 lanes, on a wave of 32."""
    if target.warp_size > LOGICAL_WARP:
        return
    for site in calls.find(unit.text, _SHUFFLE):
        if not _authors(unit, site.start):
            continue
        rest = [unit.macros.value(unit.text.word(*piece)) for piece in site.arguments[site.name.endswith("_sync") :]]
        moves = site.name.removesuffix("_sync") != "__shfl" and len(rest) > 1 and rest[1] == LOGICAL_WARP
        if moves or (len(rest) > 2 and rest[2] == 2 * LOGICAL_WARP):
            message = f"`{site.name}` reaches over 64 lanes: a wave of {target.name} has {target.warp_size}"
            yield _told(unit, (site.start, site.end), message, "start at half the wave's width: warpSize / 2")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    yield from _constants(unit, target)
    yield from _hosts(unit, target)
    yield from _asserts(unit, target)
    yield from _shuffles(unit, target)


RULE = Rule(
    _ID,
    "An AMD branch for one width of wave",
    ("W02", "W19", "W21"),
    "warp",
    Provenance(
        "FBGEMM PR 5739 (32 and 64 in one build); HIP C++ language extensions (warpSize)", "wave32 or wave64: silent"
    ),
    _find,
    native=True,
)
