"""Tests of a device's compute capability in host code: on AMD the same fields hold the gfx version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

_PROPERTIES = frozenset(
    {
        *(b"cudaDeviceProp", b"cudaGetDeviceProperties", b"cudaDeviceProp_t", b"hipDeviceProp_t"),
        *(b"getCurrentDeviceProperties", b"getDeviceProperties", b"hipGetDeviceProperties"),
    }
)
_FIELD = pattern(rb"(?<![\w.>])(?:\w+(?:\s*\([^();{}]*\)|\s*\[[^\[\]]*\])?\s*(?:\.|->)\s*){1,4}(?:major|minor)(?!\w)")
_AFTER = pattern(rb"\s*(?:(?:>=|<=|==|!=|>(?!>)|<(?!<))\s*(\d+)|\*\s*(?:10|100)(?!\d)|<<\s*[48](?!\w))")
_BEFORE = pattern(rb"(?:(\d+)\s*(?:>=|<=|==|!=|>|<)|(?<!\d)(?:10|100)\s*\*|(?<!\w)switch\s*\()\s*\Z")
_OLDEST_GFX = 8  # of ROCm's targets: gfx803
_FIRST, _NO_DEVICE = 2, 9999  # major 0 and 1 exclude no GPU of today; 9999 was CUDA's "no device"


def find_capability_tests(reading: Reading) -> Iterator[Finding]:
    """One finding a line that compares the capability with a number, or makes one number of it."""
    if b"major" not in reading.words or not reading.words & _PROPERTIES:
        return
    told = -1
    for match in _FIELD.finditer(reading.code):
        start, end = match.span()
        line = reading.line_start(start)
        if line == told or reading.is_dead(start):
            continue
        number = _compared(reading.code, start, end)
        if number is not None:
            told = line
            yield _told(reading, start, end, number)


def _told(reading: Reading, start: int, end: int, number: int) -> Finding:
    shown = reading.code[start:end].decode("utf-8", "replace")
    message = f"`{shown}` is the gfx version on AMD (9.0, 9.4, 9.5, 10.3, 11.0), no compute capability: "
    everyone = number < _OLDEST_GFX
    return reading.finding(
        "capability-gate",
        start,
        end,
        message
        + ("every GPU that ROCm serves passes" if everyone else "gfx942 passes for Hopper, gfx1030 for Blackwell"),
        Safety.REVIEW if everyone else Safety.MANUAL,
        Status.REVIEW if everyone else Status.MANUAL,
        "runtime",
        next_step="ask for the feature, or compare gcnArchName (`gfx942:...`)",
    )


def _compared(code: bytes, start: int, end: int) -> int | None:
    """The number that a field is compared with; that of the newest GPUs where it goes into one; None if neither."""
    found = _AFTER.match(code, end) or _BEFORE.search(code, max(0, start - 24), start)
    if found is None:
        return None
    number = int(found.group(1) or _OLDEST_GFX)
    return number if _FIRST <= number < _NO_DEVICE else None
