"""LDS limits that code spells out: those of CUDA GPUs, and gfx942's 64 KiB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import advice, finding
from hipport.rewrites.lds_budget.fit import room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "lds-budget"
_KIB = 1024
_NUMBER = re.compile(
    rb"(?<![\w.])(?:(\d{2,3})[uUlL]*\s*(?:\*\s*1024[uUlL]*|<<\s*10)|1024[uUlL]*\s*\*\s*(\d{2,3})[uUlL]*|(\d{5,6})[uUlL]*)(?![\w.]|\s*\*)"
)
_SAID = re.compile(
    rb"sh(?:ared)?_?mem|smem|\blds|shared_?(?:size|bytes|limit|kb)|SharedMem|shared_memory", re.IGNORECASE
)
_SHARE = re.compile(
    rb"\*\s*2\s*/\s*3\b|\b2\s*\*\s*[\w.>()-]+\s*/\s*3\b|/\s*3\s*\*\s*2\b|\*\s*0?\.(?:66+7?|75)f?\b|\*\s*3\s*/\s*4\b"
)
_WHOLE = re.compile(rb"[^;{}]*\Z")
_CUDA_TIERS = frozenset({96, 99, 100, 160, 163, 164, 227, 228})  # KiB of an SM or a block, CUDA C++ Programming Guide


def find(unit: Unit, target: Target) -> Iterator[Finding]:
    """Limits in statements that speak of shared memory; what is an array's own size, or a launch's, is none."""
    if not room(target):
        return
    yield from _shares(unit, target)
    for match in _NUMBER.finditer(unit.text.code):
        kib, said = _kib(match), _statement(unit, match.start(), match.end())
        if kib is None or not _SAID.search(said) or b"__shared__" in said or b"<<<" in said:
            continue
        if not unit.compiled(match.start()) or b"FuncSetAttribute" in said:
            continue
        yield from _judged(unit, target, match.span(), kib)


def _shares(unit: Unit, target: Target) -> Iterator[Finding]:
    """A share of the limit that is left for the L1 cache, which on AMD is another memory."""
    for match in _SHARE.finditer(unit.text.code):
        said = _statement(unit, match.start(), match.end())
        if not _SAID.search(said) or b"__shared__" in said or unit.function_at(match.start()) is not None:
            continue
        if unit.live(match.start()) and not unit.native:
            yield finding(
                unit,
                _ID,
                match.span(),
                f"a share of the shared memory is left for the L1 cache: {target.name} has its L1 apart from the LDS",
                safety=Safety.REVIEW,
                status=Status.REVIEW,
                next_step=f"use all of the {room(target) // _KIB} KiB on AMD",
                family="lds",
            )


def _kib(match: re.Match[bytes]) -> int | None:
    if match.group(3):
        value = int(match.group(3))
        return value // _KIB if value % _KIB == 0 else None
    return int(match.group(1) or match.group(2))


def _statement(unit: Unit, start: int, end: int) -> bytes:
    code = unit.text.code
    line = code.rfind(b"\n", 0, start) + 1
    before = (
        code[line:start]
        if code[line:start].lstrip().startswith(b"#")
        else _WHOLE.search(code, max(0, start - 200), start)
    )
    head = before if isinstance(before, bytes) else before.group() if before else b""
    stop = re.search(rb"[;{}]|\n\s*\n", code[end : end + 200])
    return head + code[start : end + (stop.start() if stop else 200)]


def _judged(unit: Unit, target: Target, place: tuple[int, int], kib: int) -> Iterator[Finding]:
    limit = room(target) // _KIB
    if kib == 48 and unit.live(place[0]):
        yield advice(
            unit,
            _ID,
            place,
            f"48 KiB is CUDA's shared memory without opt-in; a block has {limit} KiB on {target.name}",
            "ask the device (hipDeviceAttributeMaxSharedMemoryPerBlock); the opt-in above it is not needed",
            family="lds",
        )
    elif kib in _CUDA_TIERS and kib > limit and unit.live(place[0]):
        yield finding(
            unit,
            _ID,
            place,
            f"{kib} KiB is the shared memory of a CUDA GPU; a block has {limit} KiB on {target.name}",
            safety=Safety.MANUAL,
            next_step="ask the device (hipDeviceAttributeMaxSharedMemoryPerBlock)",
            family="lds",
        )
    elif kib == 64 and limit > 64:
        yield finding(
            unit,
            _ID,
            place,
            f"64 KiB is the LDS of a block on gfx942; {target.name} has {limit} KiB, more is refused here",
            safety=Safety.REVIEW,
            status=Status.REVIEW,
            next_step="ask the device (hipDeviceAttributeMaxSharedMemoryPerBlock)",
            family="lds",
        )
