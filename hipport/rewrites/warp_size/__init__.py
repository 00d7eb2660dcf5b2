"""# warp-size: warpSize in code whose warps have 32 lanes

`warpSize` is 64 on a wave64 target. In a kernel whose shuffles, ballots and votes are kept to 32-lane warps it must
be 32 as well, or lane numbers, loop bounds and per-warp storage disagree with them: a mix of both is wrong on every
wave64 target. ROCm 7 also made `warpSize` no constant expression. The rewrite writes 32 wherever the kernel, or
what it calls, exchanges values between lanes, and in the host code that sizes its launch from the device's warp
size. So it does where nothing is exchanged but the number 32 stands beside `warpSize`: in the kernel, as the x extent
of a block that it is launched with, or in the host code that sizes that launch. Else code that asks for `warpSize` and
never exchanges anything is left alone: it adapts to the wave by itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.closure import Mode
from hipport.model import Safety, Status
from hipport.rewrites.forms import LOGICAL_WARP, edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.frontend.widths import Width
    from hipport.model import Edit, Finding
    from hipport.targets import Target

_ID = "warp-size"
_DEVICE = re.compile(rb"(?<![\w.])(?<!->)(?<!::)(?:at::cuda::)?(warpSize|C10_WARP_SIZE)(?!\w)")
_HOST = re.compile(
    rb"(?<!\w)(?:\w+(?:\.|->)warpSize|(?:at::cuda::)?warp_size\s*\(\s*\)|C10_WARP_SIZE"
    rb"|cu(?:da)?DeviceGetAttribute\s*(?=\()(\([^;()]*?\b(?:cudaDevAttrWarpSize|CU_DEVICE_ATTRIBUTE_WARP_SIZE)\b[^;()]*\))"
    rb")(?!\w)"
)
_RETURNED = re.compile(rb"\breturn\s[^;{}]*\Z")
_WORDS = (b"warpSize", b"WARP_SIZE", b"warp_size", b"WarpSize")
_THIRTY_TWO = re.compile(rb"(?<![\w.])32u?(?![\w.])")
_DEFINED = rb"(?:#[ \t]*define[ \t]+%s[ \t]+|(?<![\w.])%s\s*(?:=|\{)\s*)\(?32u?\b"
_DECLARES = re.compile(rb"(?:\b(?:int|unsigned|auto|size_t|uint32_t|constexpr|const|define|uint|long)\b[\s&*]*)$")


def _declared(unit: Unit, start: int) -> bool:
    return _DECLARES.search(unit.text.code[max(0, start - 40) : start]) is not None


def _own_places(unit: Unit) -> dict[bytes, tuple[int, ...]]:
    """Where the file declares a name of its own, by name."""
    found: dict[bytes, tuple[int, ...]] = {}
    for match in _DEVICE.finditer(unit.text.code):
        if _declared(unit, match.start(1)):
            found[match.group(1)] = (*found.get(match.group(1), ()), match.start(1))
    return found


def _is_own(unit: Unit, function: Function, places: tuple[int, ...]) -> bool:
    """Whether one of these declarations hides the built-in name in a function."""
    head = unit.text.code.rfind(b"}", 0, function.start)
    for place in places:
        if head < place < function.end:
            return True
        inside = unit.function_at(place) or unit.host_at(place)
        line = unit.text.code.rfind(b"\n", 0, place) + 1
        if inside is None and not unit.text.code[line:place].startswith((b" ", b"\t")):
            return True
    return False


def _beside(unit: Unit, function: Function) -> str:
    """Where a 32 stands for the warp beside `warpSize` in code that exchanges nothing; empty if nowhere."""
    if any(width.value == LOGICAL_WARP for width in unit.widths(function) if not _says_warp(unit, width)):
        return "it says 32 as well"
    for closure in unit.closures_of(function):
        for shot in closure.launches:
            extent = shot.block[0]
            if extent is not None and extent % (2 * LOGICAL_WARP) and extent % LOGICAL_WARP == 0:
                return f"the rows of its block have {extent} threads"
            host = unit.host_at(shot.start) if shot.path == unit.path else None
            if host is not None and _THIRTY_TWO.search(unit.text.code, host.body, shot.start):
                return "the host code that launches it says 32"
    return ""


def _says_warp(unit: Unit, width: Width) -> bool:
    """Whether a number is written as `warpSize`, or by a name that this file does not define as 32 for AMD too."""
    word = unit.text.data[width.start : width.end]
    if word == b"32" or not re.fullmatch(rb"[A-Za-z_]\w*", word) or word in (b"warpSize", b"C10_WARP_SIZE"):
        return word != b"32"
    defined = re.compile(_DEFINED % (word, word))
    return not any(unit.live(match.start()) for match in defined.finditer(unit.text.code))


def _crossing(unit: Unit) -> frozenset[str]:
    """The kernels here and launched here that keep 32 lanes: they exchange values, or say 32 beside `warpSize`."""
    linked = frozenset(c.kernel for c in unit.closures if c.crosses and c.mode is Mode.SUBWARP)
    kernels = (f for f in unit.functions if f.kernel and unit.mode_at(f.body) is Mode.SUBWARP)
    return linked | frozenset(f.name for f in kernels if unit.crosses(f) or (_asks(unit, f) and _beside(unit, f)))


def _asks(unit: Unit, function: Function) -> bool:
    return _DEVICE.search(unit.text.code, function.body, function.end) is not None


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target) or not any(word in unit.text.code for word in _WORDS):
        return
    own = _own_places(unit)
    for match in _DEVICE.finditer(unit.text.code):
        if not unit.live(match.start()):
            continue
        function = unit.function_at(match.start())
        if unit.mode_at(match.start()) is Mode.NATIVE:
            continue
        if function is None or _is_own(unit, function, own.get(match.group(1), ())):
            continue
        why = "lane numbers and shuffles disagree" if unit.crosses(function) else _beside(unit, function)
        if not why:
            continue
        name = match.group(1).decode()
        yield finding(
            unit,
            _ID,
            (match.start(), match.end()),
            f"`{name}` is 64 where the kernel's warps have 32 lanes: {why}",
            edits=(edit(unit, match.start(), match.end(), b"32"),),
        )
    yield from _host(unit)


def _host(unit: Unit) -> Iterator[Finding]:
    crossing = _crossing(unit)
    for match in _HOST.finditer(unit.text.code) if crossing else ():
        if unit.function_at(match.start()) or not unit.live(match.start()):
            continue
        host = unit.host_at(match.start())
        said = match.group().decode("utf-8", "replace")
        if host is None and _RETURNED.search(unit.text.code, max(0, match.start() - 40), match.start()):
            yield _returned(unit, match, said)
        if host is None or not any(shot.kernel in crossing for shot in unit.launches_in(host)):
            continue
        edits = _attribute(unit, match) if match.group(1) else (edit(unit, match.start(), match.end(), b"32"),)
        if not edits:
            continue
        yield finding(
            unit,
            _ID,
            (match.start(), match.end()),
            f"`{said}` is the device's 64 while the kernel launched here works on 32-lane warps",
            edits=edits,
            safety=Safety.REVIEW,
            next_step="check that this number sizes the launch; what is only printed may stay",
        )


def _returned(unit: Unit, match: re.Match[bytes], said: str) -> Finding:
    """Host code that hands the device's width to others, beside kernels that keep 32 lanes."""
    return finding(
        unit,
        _ID,
        match.span(),
        f"`{said}` gives the device's 64, and kernels of this file work on 32-lane warps",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step="return 32 where it sizes their launches",
    )


def _attribute(unit: Unit, match: re.Match[bytes]) -> tuple[Edit, ...]:
    """The call that asks for the warp size as an expression that gives 32; none where its target does not show."""
    arguments = unit.text.arguments(match.start(1), match.end(1) - 1)
    target = unit.text.data[slice(*arguments[0])].strip() if arguments else b""
    if not target.startswith(b"&"):
        return ()
    return (edit(unit, match.start(), match.end(), b"(" + target[1:].strip() + b" = 32, hipSuccess)"),)


RULE = Rule(
    _ID,
    "warpSize in code whose warps have 32 lanes",
    ("W18", "W19"),
    "warp",
    Provenance(
        "HIP 7 changes (warpSize is no constant expression); HIP C++ language extensions",
        "wave64: silent",
        "constant expression: until 6.4",
    ),
    _find,
)
