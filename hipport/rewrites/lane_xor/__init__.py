"""# lane-xor: butterflies between registers

HIP's `__shfl_xor` goes through the LDS crossbar (`ds_bpermute`), with an address that is worked out and a wait,
whatever its mask is: LLVM has no other code for it, not for a constant either. A move between registers (DPP) does the
same within 16 lanes, mostly as part of the addition that follows; between the halves of 32 there is a swizzle (gfx9) or
a permute (gfx10 and later).

Offered with `--optimize`: `__shfl_xor_sync(0xffffffff, v, m)` becomes `hipport::__shfl_xor(v, m, 32)`. The shim
`lane_xor` has it: moves where the compiler knows the mask, also after it has unrolled `for (m = 16; m > 0; m >>= 1)`,
and HIP's own function where it does not. Told once for each device function, for calls with a full mask whose lanes are
exchanged by 1, 2, 4, 8, 16, 3, 7 or 15, or by a variable that a loop halves or doubles from a constant. Calls with
other masks of lanes stay: a move reads through lanes that must take part.

What that saves: a sum of floats over 32 lanes compiles to 22 instructions where it was 47 on gfx942, its five trips
through the crossbar to one swizzle, and to 17 from 42 on gfx1100 without any (tests/unit/test_lane_xor.py). The
butterflies of `cases/sums.cu`, executed on isa:gfx942 in blocks of 256, retire 944 instructions where it was 1,272.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.closure import Mode
from hipport.frontend.shared import parameters
from hipport.model import Purpose, Safety
from hipport.rewrites.forms import LOGICAL_WARP, edit, finding, is_full
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "lane-xor"
_NAME = "__shfl_xor_sync"
_MOVED = frozenset({1, 2, 3, 4, 7, 8, 15, 16})  # masks that the shim has moves for
_LOOP = re.compile(
    rb"\bfor\s*\(\s*(?:const\s+)?(?:[\w:]+\s+)*(?P<i>\w+)\s*=\s*(?P<first>[^;]+);[^;]*;\s*"
    rb"(?P=i)\s*(?:(?:>>=|<<=)\s*1|(?:/=|\*=)\s*2)u?\s*\)"
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if b"__shfl_xor_sync" not in unit.text.code or {_NAME, "__shfl_xor"} & (unit.own | unit.macros.functions):
        return
    by_function: dict[int, list[CallSite]] = {}
    for site in unit.sites:
        function = unit.function_at(site.start)
        if function is not None and _moves(unit, function, site):
            by_function.setdefault(function.start, []).append(site)
    for sites in by_function.values():
        yield _offer(unit, sites)


def _offer(unit: Unit, sites: list[CallSite]) -> Finding:
    """One finding with all butterfly steps of a function."""
    lines = sorted({unit.text.line(site.start) for site in sites})
    shown = ", ".join(map(str, lines[:8])) + (", ..." if len(lines) > 8 else "")
    many = "lines" if len(lines) > 1 else "line"
    return finding(
        unit,
        _ID,
        (sites[0].start, sites[-1].end),
        f"`__shfl_xor` goes through the LDS crossbar for each of its masks ({many} {shown})",
        edits=tuple(edit(unit, site.start, site.start, b"hipport::") for site in sites),
        safety=Safety.SAFE,
        purpose=Purpose.PERFORMANCE,
        next_step="between registers it is one move, or part of the addition",
        shims=("lane_xor",),
    )


def _moves(unit: Unit, function: Function, site: CallSite) -> bool:
    """Whether a call is a step of a butterfly over a whole warp that other rules leave a plain shuffle."""
    written = unit.text.code[site.start : site.start + len(_NAME)]
    if site.name != _NAME or written != _NAME.encode() or len(site.arguments) not in (3, 4):
        return False
    if unit.mode_at(site.start) is not Mode.SUBWARP or unit.blocked(site.start) or not is_full(unit, site.arguments[0]):
        return False
    if b"__activemask" in unit.text.code[slice(*site.arguments[0])]:
        return False
    width = unit.text.word(*site.arguments[3]) if len(site.arguments) == 4 else str(LOGICAL_WARP)
    mask = unit.text.word(*site.arguments[2]).strip()
    generic = frozenset(name for name, _ in parameters(unit.text, function))
    if not (width.strip() in generic or 0 < (unit.macros.value(width) or 0) <= LOGICAL_WARP):
        return False
    return mask in generic or unit.macros.value(mask) in _MOVED or _halved(unit, function, site.start, mask, generic)


def _halved(unit: Unit, function: Function, at: int, mask: str, generic: frozenset[str]) -> bool:
    """Whether a mask is the variable of a loop around a place that runs through the powers of two from a constant."""
    for loop in _LOOP.finditer(unit.text.code, function.body, at):
        if loop["i"].decode() != mask or not _within(unit, loop.end(), at):
            continue
        first = loop["first"].decode("utf-8", "replace").strip()
        words = set(re.findall(r"[A-Za-z_]\w*", first))
        if unit.macros.value(first) is not None or (words and words <= generic | unit.macros.objects.keys()):
            return True
    return False


def _within(unit: Unit, start: int, at: int) -> bool:
    """Whether a place is in the statement that starts there."""
    code = unit.text.code
    body = re.compile(rb"[\s\\]*\{").match(code, start)
    if body:
        return at < unit.text.close(body.end() - 1)
    return b";" not in code[start:at]


RULE = Rule(
    _ID,
    "Butterflies between registers",
    ("W24", "R8"),
    "warp",
    Provenance(
        "LLVM AMDGPU usage (DPP, ds_swizzle_b32); FBGEMM #5875, #6014 (reductions between lanes, with a fallback)",
        "all",
    ),
    _find,
)
