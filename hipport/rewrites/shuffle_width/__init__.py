"""# shuffle-width: shuffles of a 32-lane warp on a 64-lane wave

CUDA's shuffles work on 32 lanes. HIP's work on the wave of the target: 64 lanes on gfx9, 32 on gfx10 to gfx12. So

- `__shfl_sync(mask, v, k)` reads lane k of *64*: on a wave64 target lanes 32-63 get a value of the other half.
  Silent.
- `__shfl_up_sync` and `__shfl_down_sync` cross from one half into the other. A `shfl_down` tree that only lanes 0,
  32, ... read is right all the same, and so is an `xor` butterfly with offsets below 32: for them only the mask is
  wrong.
- ROCm 7 wants a 64-bit mask in every `*_sync` call. The 32-bit `0xffffffff` of CUDA does not compile, on wave32
  neither.

The rewrite gives the call its width, 32, and drops the mask: `__shfl_down_sync(m, v, o)` becomes `__shfl_down(v, o,
32)`. A wave runs in lockstep, so no lane has to be waited for; each lane reads within its own 32 lanes as in CUDA.
On a wave32 target the result is the same code with the same meaning. A mask that names fewer lanes may be dropped
as well: it says who takes part, not what is read. A width that is given stays.

HIP shuffles words of 32 and 64 bits, `half`, `half2` and `bfloat16`; smaller integers are widened, as in CUDA. Two
bfloat16 at once it shuffles only with a 64-bit mask: a shim has them without one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.closure import Mode
from hipport.model import Safety
from hipport.rewrites.forms import builtin, edit, finding, source, unreadable, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "shuffle-width"
_PASTED = re.compile(rb"(?<![\w#])(__shfl_?\s*##\s*\w+)\s*##\s*_sync\s*\(")
_HANDED = re.compile(rb"[(,]\s*(__(?:shfl(?:_up|_down|_xor)?|ballot|any|all))\s*(?=[,)])")
_OF_THE_WAVE = re.compile(rb"warp|wave|wvsize", re.IGNORECASE)  # a width that may be 64 on AMD
_EFFECT = {
    "__shfl": "reads lane k of the 64-lane wave: lanes 32-63 get the other half's value",
    "__shfl_up": "crosses from one 32-lane half into the other",
    "__shfl_down": "crosses the 32-lane half; only a tree read at lane % 32 == 0 survives",
    "__shfl_xor": "stays within 32 lanes for offsets below 32, but its 32-bit mask does not compile with ROCm 7",
}


def _message(site: CallSite, plain: str, mask: str, width: bytes, target: Target) -> str:
    if wide(target) and (not width or _OF_THE_WAVE.search(width)):
        return f"`{site.name}` {_EFFECT[plain]}"
    return f"`{site.name}` takes a 64-bit mask: `{mask}` does not compile with ROCm 7"


def _overloaded(unit: Unit, site: CallSite) -> Iterator[Finding]:
    """A call that may be one of the repository's own overload: its choice stays, a mask is told."""
    if site.name.endswith("_sync"):
        yield finding(
            unit,
            _ID,
            (site.start, site.end),
            f"`{site.name}` is overloaded here: if HIP's is meant, its 32-bit mask does not compile with ROCm 7",
            safety=Safety.MANUAL,
            next_step="give the overload another name, or drop the mask and add the width 32 by hand",
        )


def _pairs(unit: Unit, site: CallSite) -> bool:
    """Whether two bfloat16 at once may be shuffled: by a function that knows them, or a template beside it."""
    function = unit.function_at(site.start)
    if function is None:
        return False
    head = max(0, unit.text.code.rfind(b"}", 0, function.start))
    return any(word in unit.text.code[head : function.end] for word in (b"bfloat162", b"template"))


def _pasted(unit: Unit) -> Iterator[Finding]:
    """Calls whose name a macro makes: `__shfl_##way##_sync(m, v, o)` is ported as one; a name given away is told."""
    code = unit.text.code
    for match in _PASTED.finditer(code) if b"##" in code else ():
        opening = match.end() - 1
        close = unit.text.close(opening)
        if close < 0 or not unit.live(match.start()):
            continue
        arguments = unit.text.arguments(opening, close)
        name = match.group(1).decode("utf-8", "replace")
        message = f"`{name}##_sync` takes a 64-bit mask and works on the wave: 32 lanes need a width"
        if len(arguments) not in (3, 4):
            step = "spell the arguments out, or rewrite the macro by hand"
            yield finding(unit, _ID, match.span(), message, safety=Safety.MANUAL, next_step=step)
            continue
        edits = [edit(unit, match.start(), arguments[1][0], match.group(1) + b"(")]
        if len(arguments) == 3 and unit.mode_at(match.start()) is Mode.SUBWARP:
            edits.append(edit(unit, close, close, b", 32"))
        yield finding(unit, _ID, (match.start(), close + 1), message, edits=tuple(edits))
    for match in _HANDED.finditer(code) if b"##" in code else ():
        if unit.live(match.start()):
            name = match.group(1).decode()
            message = (
                f"`{name}` is handed to a macro, which may make `{name}_sync` of it: that takes a 64-bit mask on AMD"
            )
            step = "call the function by its name: it is ported then"
            yield finding(unit, _ID, match.span(1), message, safety=Safety.MANUAL, next_step=step)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    yield from _pasted(unit)
    known = b"bfloat162" in unit.text.code
    for site in unit.sites:
        plain = site.name.removesuffix("_sync")
        if plain not in _EFFECT:
            continue
        if site.name in unit.own:
            yield from _overloaded(unit, site)
            continue
        skip = 1 if site.name.endswith("_sync") else 0
        arguments = site.arguments
        if not skip and unit.mode_at(site.start) is Mode.NATIVE:
            continue
        if not skip and (len(arguments) > 2 or plain == "__shfl_xor" or not wide(target)):
            continue  # a width is given, or the butterfly survives, or the wave is a warp
        if not 2 + skip <= len(arguments) <= 3 + skip:
            yield unreadable(unit, _ID, site, "two or three after the mask")
            continue
        edits = []
        if skip:
            edits.append(edit(unit, site.start, arguments[1][0], builtin(unit, plain) + b"("))
        elif site.name in unit.macros.functions:
            edits.append(edit(unit, site.start, site.start + len(plain), builtin(unit, plain)))
        if len(arguments) == 2 + skip and unit.mode_at(site.start) is Mode.SUBWARP:
            edits.append(edit(unit, site.close, site.close, b", 32"))
        shims = ("shuffle_bfloat16",) if skip and known and _pairs(unit, site) else ()
        mask = source(unit, arguments[0]).decode("utf-8", "replace") if skip else ""
        width = source(unit, arguments[2 + skip]) if len(arguments) > 2 + skip else b""
        said = _message(site, plain, mask, width, target)
        yield finding(unit, _ID, (site.start, site.end), said, edits=tuple(edits), shims=shims)


RULE = Rule(
    _ID,
    "Shuffles of a 32-lane warp on a 64-lane wave",
    ("W03", "W06", "W07", "P22"),
    "warp",
    Provenance(
        "ROCm HIP porting guide (warp size, 64-bit masks); HIP amd_warp_sync_functions.h; HeCBench PR 177",
        "wave64: silent; all: compile error of the mask",
        "masks: from 7.0",
    ),
    _find,
)
