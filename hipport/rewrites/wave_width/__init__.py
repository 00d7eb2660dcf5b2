"""# wave-width: what a kernel would gain from the wave's own width

A kernel that is written for 32-lane warps stays right on a 64-lane wave once its shuffles, ballots and votes are
kept to 32 lanes: the other rules see to that, and a literal 32 by itself is no fault. But it then reduces in
halves: one more step through LDS, twice as many partial results, two passes where one wave could do it. Where
people port by hand they often take the wave's own width instead.

This finding lists, for each device function that exchanges values between lanes (or is called by a kernel that
does), the numbers that mean the warp: `thread % 32`, `/ 32`, `blockDim / 32`, shuffle widths and offsets, bounds of
lanes, arrays with an entry a warp. It is about performance and changes nothing: `--warp native` makes the change
where it can be proved that all of them mean the warp.

Where 32-lane warps stay, `lane-xor` makes butterflies of `__shfl_xor` moves between registers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.closure import Mode
from hipport.frontend.widths import Role
from hipport.model import Safety
from hipport.rewrites.forms import LOGICAL_WARP, advice, edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.frontend.widths import Width
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "wave-width"
_TILE = re.compile(rb"(?:tiled_partition|thread_block_tile)\s*<\s*(\w+)")
_CONSTANT = re.compile(
    rb"\b(?:int|unsigned|size_t)[ \t]+(w(?:arp|ave)_?[sS]ize)[ \t]*=[ \t]*32u?;"
    rb"|^[ \t]*#[ \t]*define[ \t]+(\w*(?i:warp)\w*|WS)[ \t]+\(?32u?\)?[ \t]*\r?$"
    rb"|\b(?:const|constexpr)\b[\w \t]*\b(\w*(?i:warp)\w*|WS)\s*=\s*32u?\s*;",
    re.MULTILINE,
)
_THIRTY_TWO = re.compile(rb"(?<![\w.])32u?(?![\w.])")
_DIMENSION = re.compile(rb"(?<!\w)dim3\s+\w+\s*\(")
_WIDENED = {32: b"warpSize", 31: b"(warpSize - 1)", 16: b"(warpSize / 2)", 5: b""}
_STEP = "`--warp native` widens them where all of them are proved to mean the warp"


def _offer(unit: Unit, span: tuple[int, int], message: str, step: str = _STEP) -> Finding:
    return advice(
        unit,
        _ID,
        span,
        message,
        step,
    )


def _places(unit: Unit, function: Function) -> list[tuple[int, int, str]]:
    """Where a device function takes a number for the warp: start, end, role."""
    found = [(w.start, w.end, w.role.value) for w in unit.widths(function)]
    found += [
        (match.start(1), match.end(1), "tile")
        for match in _TILE.finditer(unit.text.code, function.start, function.end)
        if unit.macros.value(match.group(1).decode("utf-8", "replace")) == LOGICAL_WARP
    ]
    return sorted(found)


def _widened(unit: Unit, width: Width) -> Edit | None:
    """The edit that gives a number the wave's width; None where it may stay."""
    start, text = width.start, unit.text
    if width.role is Role.PARTIALS:
        return None  # one entry for each 32 threads is enough for waves of 64
    said = _WIDENED[width.value]
    if width.value == 5:
        start = text.code.rfind(b">>", 0, width.start)
        said = b"/ warpSize"
    return edit(unit, start, width.end, said)


def _widen(unit: Unit, function: Function) -> Iterator[Finding]:
    """One finding with all edits of a native function: they stand or fall together."""
    widths = unit.widths(function)
    edits = tuple(e for w in widths if (e := _widened(unit, w)) is not None)
    if edits:
        yield finding(
            unit,
            _ID,
            (widths[0].start, widths[-1].end),
            f"`{function.name}` takes the wave's own width: all its numbers are proved to mean the warp",
            edits=edits,
            safety=Safety.REVIEW,
        )


def _functions(unit: Unit, target: Target) -> Iterator[Finding]:
    for function in unit.functions:
        if not unit.live(function.start) or not unit.crosses(function):
            continue
        if unit.mode_at(function.body) is Mode.NATIVE:
            yield from _widen(unit, function)
            continue
        places = _places(unit, function)
        if not places:
            continue
        lines = sorted({unit.text.line(start) for start, _, _ in places})
        roles = ", ".join(dict.fromkeys(role for _, _, role in places))
        shown = ", ".join(map(str, lines[:8])) + (", ..." if len(lines) > 8 else "")
        name = function.name or "a lambda"
        message = f"`{name}` keeps 32-lane warps on a wave of {target.warp_size} ({roles}; lines {shown})"
        why = next((c.reason for c in unit.closures_of(function) if c.reason), "")
        step = f"kept at 32 lanes: {why}" if why else _STEP
        yield _offer(unit, (places[0][0], max(end for _, end, _ in places)), message, step)


def _constants(unit: Unit, target: Target) -> Iterator[Finding]:
    if not any(closure.crosses for closure in unit.closures):
        return
    for match in _CONSTANT.finditer(unit.text.code):
        if unit.live(match.start()):
            name = (match.group(1) or match.group(2) or match.group(3)).decode("utf-8", "replace")
            yield _offer(unit, match.span(), f"`{name}` stays 32 on a wave of {target.warp_size}")


def _launches(unit: Unit, target: Target) -> Iterator[Finding]:
    """Host code that sizes the launch of such a kernel by 32."""
    crossing = {f.name for f in unit.functions if f.kernel and unit.crosses(f)}
    for host in unit.hosts if crossing else ():
        shots = [s for s in unit.launches_in(host) if s.kernel in crossing]
        if not shots:
            continue
        for match in _DIMENSION.finditer(unit.text.code, host.body, shots[-1].start):
            close = unit.text.close(match.end() - 1)
            if close > 0 and _THIRTY_TWO.search(unit.text.code, match.end(), close):
                message = (
                    f"the launch of `{shots[0].kernel}` is sized by 32 threads a warp on a wave of {target.warp_size}"
                )
                yield _offer(
                    unit, (match.start(), close + 1), message, "keep it with 32-lane warps; size both together"
                )


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if wide(target):
        yield from _constants(unit, target)
        yield from _launches(unit, target)
    if wide(target) or unit.mode is Mode.NATIVE:
        yield from _functions(unit, target)


RULE = Rule(
    _ID,
    "What a kernel would gain from the wave's own width",
    ("W01", "W02", "W14", "W19", "W21"),
    "warp",
    Provenance(
        "FBGEMM fbgemm_gpu cuda_prelude.cuh (kWarpSize); HeCBench's HIP versions; HIP C++ language extensions",
        "wave64: speed",
    ),
    _find,
)
