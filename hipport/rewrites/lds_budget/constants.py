"""LDS limits that code spells out: those of CUDA GPUs, and gfx942's 64 KiB."""

from __future__ import annotations

import functools
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
_PLAIN = rb"(?:0[xX][\da-fA-F']+|\d[\d']*)"
_UNIT = rb"(?:1024[uUlLzZ]*|\(\s*1[uUlL]*\s*<<\s*10\s*\)|(?:\w+::)*k?_?(?:KB|KiB|KIB|kB|kib)(?!\w))"
_NUMBER = re.compile(
    rb"(?<![\w.'])(?:"
    rb"(?P<scaled>" + _PLAIN + rb")(?:[uUlLzZ]*\s*(?:\*\s*" + _UNIT + rb"|<<\s*10)|_?(?:KB|KiB|kb|kib))"
    rb"|" + _UNIT + rb"\s*\*\s*(?P<times>" + _PLAIN + rb")[uUlLzZ]*"
    rb"|\w*(?:KB|KiB|KIB|kib|kb)\w*\s*\(\s*(?P<called>" + _PLAIN + rb")\s*\)"
    rb"|(?P<name>[A-Za-z_]\w*)\s*(?:\*\s*" + _UNIT + rb"|<<\s*10(?!\d))"
    rb"|(?P<bytes>" + _PLAIN + rb")[uUlLzZ]*)(?![\w.']|\s*\*)"
)
_SAID = re.compile(
    rb"sh(?:ared)?_?mem|smem|\blds(?:\b|_)|shared_?(?:size|bytes|limit|kb)|SharedMem|shared_memory", re.IGNORECASE
)
_OF_THE_HOST = re.compile(rb"ipc|mmap|shm_open|shmget|posix|interprocess|nvshmem|(?<!pro)file", re.IGNORECASE)
_FIELD = rb"(?:\.|->)\s*(?:sharedMemPer|maxSharedMemoryPer|shared_memory_per)\w+"
_ASKED = re.compile(
    _FIELD + rb"\s*(?:[<>]=?|==)|(?:[<>]=?|==)\s*[\w.\[\]]*" + _FIELD
)  # what the device has is compared
_SHARE = re.compile(
    rb"\*\s*2\s*/\s*3\b|\b2\s*\*\s*[\w.>()-]+\s*/\s*3\b|/\s*3\s*\*\s*2\b|\*\s*0?\.(?:66+7?|75)f?\b|\*\s*3\s*/\s*4\b"
)
_OPTS_IN = re.compile(rb"FuncSetAttribute|MaxDynamicSharedMemorySize")
_NEAR = 300  # bytes within which a guard's opt-in stands
_AROUND = 200  # bytes before and behind a number that are looked at
_WHOLE = re.compile(rb"[^;{}]*\Z")
_CUDA_TIERS = frozenset({96, 99, 100, 160, 163, 164, 227, 228})  # KiB of an SM or a block, CUDA C++ Programming Guide


def find(unit: Unit, target: Target) -> Iterator[Finding]:
    """Limits in statements that speak of shared memory; what is an array's own size, or a launch's, is none."""
    if not room(target):
        return
    places = _places(unit.text.code)
    if not places:
        return
    yield from _shares(unit, target)
    for match in (m for start, end in places for m in _NUMBER.finditer(unit.text.code, start, end)):
        kib = _kib(unit, match)
        if kib is None or (kib not in _CUDA_TIERS and kib not in (48, 64)):
            continue
        said = _statement(unit, match.start(), match.end())
        if not _SAID.search(said) or b"__shared__" in said or b"<<<" in said or b"FuncSetAttribute" in said:
            continue
        if unit.compiled(match.start()) and not _OF_THE_HOST.search(said) and not _ASKED.search(said):
            yield from _judged(unit, target, match.span(), kib)


@functools.lru_cache(maxsize=64)
def _places(code: bytes) -> tuple[tuple[int, int], ...]:
    """Where statements that speak of shared memory may stand, in order."""
    found: list[tuple[int, int]] = []
    for match in _SAID.finditer(code):
        start, end = max(0, match.start() - 2 * _AROUND), match.end() + _AROUND
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)


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


def _kib(unit: Unit, match: re.Match[bytes]) -> int | None:
    """How many KiB a number means; None where it is none."""
    if match["name"]:
        return unit.macros.value(match["name"].decode("utf-8", "replace"))
    if match["bytes"]:
        value = _value(match["bytes"])
        return value // _KIB if value % _KIB == 0 else None
    return _value(match["scaled"] or match["times"] or match["called"])


def _value(digits: bytes) -> int:
    plain = digits.replace(b"'", b"")
    return int(plain, 16) if plain[:2] in (b"0x", b"0X") else int(plain)


def _statement(unit: Unit, start: int, end: int) -> bytes:
    code = unit.text.code
    line = code.rfind(b"\n", 0, start) + 1
    before = (
        code[line:start]
        if code[line:start].lstrip().startswith(b"#")
        else _WHOLE.search(code, max(0, start - _AROUND), start)
    )
    head = before if isinstance(before, bytes) else before.group() if before else b""
    stop = re.search(rb"[;{}]|\n\s*\n", code[end : end + _AROUND])
    return head + code[start : end + (stop.start() if stop else _AROUND)]


def _judged(unit: Unit, target: Target, place: tuple[int, int], kib: int) -> Iterator[Finding]:
    limit = room(target) // _KIB
    if kib == 48 and _OPTS_IN.search(unit.text.code, place[1], place[1] + _NEAR):
        return  # a guard of the opt-in, which does no harm
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
