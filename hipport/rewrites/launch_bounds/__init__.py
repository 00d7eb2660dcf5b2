"""# launch-bounds: the second number of __launch_bounds__

`__launch_bounds__(threads, n)`: for CUDA n is the least number of blocks that an SM shall hold; HIP hands it to
`amdgpu_waves_per_eu`, the least number of waves on each SIMD. 2 blocks of 512 threads are 16 waves of 64, on a CU of
4 SIMDs 4 a SIMD: the 2 that CUDA means blocks by asks for half of that occupancy, and one that is too large makes
registers spill. The number becomes

    ceil(n * threads / (lanes of a wave * SIMDs of a CU))

at most what a SIMD holds (8 waves on gfx90a and later, 16 on RDNA). With 256 threads on gfx9 nothing changes. Waves of
64 lanes decide the number that is written: on wave32 targets it is more, and 64-lane code asks for less than it may.
A number that is a constant or a template's parameter becomes the formula itself; CUDA takes no more than 2048 threads
an SM, so the result is never above 8. The third number (blocks of a cluster at most), which HIP's macro does not
take, is dropped: HIP launches no clusters. A number with a comment that speaks of waves is HIP's already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "launch-bounds"
_MARK = " /* waves per SIMD */"  # tells a second run, and a reader, in which unit the number is
_BOUNDS = re.compile(rb"(?<!\w)(?:__launch_bounds__|C10_LAUNCH_BOUNDS_2)\s*\(")
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+\Z")
_PARAMETERS = re.compile(rb"#[ \t]*define[ \t]+\w+\(([^)]*)\)[^\n]*\Z")
_TEMPLATE = re.compile(rb"\btemplate\s*<((?:[^;{}])*)\Z")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for match in _BOUNDS.finditer(unit.text.code):
        opening = match.end() - 1
        close = unit.text.close(opening)
        if (
            close < 0
            or not unit.live(match.start())
            or _DEFINED.search(unit.text.code, max(0, match.start() - 40), match.start())
        ):
            continue
        if b"C10" in match.group():  # PyTorch's own macro knows ROCm
            continue
        arguments = unit.text.arguments(opening, close)
        if len(arguments) > 2:
            yield _cluster(unit, (match.start(), close + 1), (arguments[1][1], close))
        if len(arguments) >= 2 and b"waves" not in unit.text.data[arguments[1][0] : close]:
            yield from _judged(unit, target, (match.start(), close + 1), arguments[:2])


def _judged(
    unit: Unit, target: Target, place: tuple[int, int], arguments: tuple[tuple[int, int], ...]
) -> Iterator[Finding]:
    hidden = _open_names(unit, place[0])
    threads, blocks = (_value(unit, piece, hidden) for piece in arguments)
    lanes = target.warp_size * target.number("simds_per_cu")
    if blocks is not None and blocks <= 1 and (threads is None or threads <= lanes):
        return
    most = target.number("max_waves_per_simd")
    known = threads is not None and blocks is not None
    waves = min(-(-(blocks or 0) * (threads or 0) // lanes), most)
    if known and waves == blocks:
        return
    said, step = _said(target, threads, blocks, waves) if known else (_UNKNOWN, _formula(lanes, most))
    edits = (edit(unit, *arguments[1], _written(unit, arguments, waves, lanes)),) if wide(target) else ()
    yield finding(
        unit,
        _ID,
        place,
        said,
        edits=edits,
        safety=Safety.REVIEW,
        status=None if edits else Status.REVIEW,
        next_step="look at registers and spills with `hipport compile`" if edits else step,
        family="launch",
    )


_UNKNOWN = "__launch_bounds__: HIP's second number is waves a SIMD, CUDA's blocks an SM"


def _said(target: Target, threads: int | None, blocks: int | None, waves: int) -> tuple[str, str]:
    message = (
        f"__launch_bounds__: {blocks} blocks of {threads} threads on a CU are {waves} waves a SIMD on {target.name}, "
        f"the unit of HIP's second number; {blocks} asks for another occupancy"
    )
    return message, f"write {waves}"


def _formula(lanes: int, most: int) -> str:
    return f"blocks * threads / {lanes}, rounded up, at most {most}"


def _written(unit: Unit, arguments: tuple[tuple[int, int], ...], waves: int, lanes: int) -> bytes:
    """HIP's number: a number for a number, else the formula over what stands there."""
    threads, blocks = (unit.text.data[start:end] for start, end in arguments)
    if re.fullmatch(rb"\d+[uU]?", blocks) and waves:
        return f"{waves}{_MARK}".encode()
    product = b"(%s) * (%s) + %d) / %d" % (blocks, threads, lanes - 1, lanes)
    return b"(" + product + _MARK.encode()


def _value(unit: Unit, piece: tuple[int, int], hidden: frozenset[bytes]) -> int | None:
    words = set(re.findall(rb"[A-Za-z_]\w*", unit.text.code[piece[0] : piece[1]]))
    return None if words & hidden else unit.macros.value(unit.text.word(*piece))


def _open_names(unit: Unit, start: int) -> frozenset[bytes]:
    """The names that a template above, or the macro around, gives a value only later."""
    code = unit.text.code
    line = _PARAMETERS.search(code, code.rfind(b"\n", 0, start) + 1, start)
    above = _TEMPLATE.search(code, max(0, start - 800), start)
    found = b" ".join(m.group(1) for m in (line, above) if m is not None)
    return frozenset(re.findall(rb"[A-Za-z_]\w*", found))


def _cluster(unit: Unit, place: tuple[int, int], third: tuple[int, int]) -> Finding:
    return finding(
        unit,
        _ID,
        place,
        "__launch_bounds__: a third number (blocks of a cluster) has no counterpart on AMD, and goes",
        edits=(edit(unit, *third, b""),),
        safety=Safety.REVIEW,
        next_step="what the blocks of a cluster share must go through global memory",
        family="launch",
    )


RULE = Rule(
    _ID,
    "The second number of __launch_bounds__",
    ("L01", "L03"),
    "launch",
    Provenance(
        "HIP C++ language extensions (launch bounds); amdgpu_waves_per_eu; ROCm/hip issues 2521, 3167",
        "all: occupancy and registers",
    ),
    _find,
)
