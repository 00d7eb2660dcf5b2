"""# target-branch: device code that is empty on some GPU

A fast path for some GPUs, `#if defined(__gfx90a__) || defined(__gfx942__)` around instructions that the others lack,
needs an `#else`. Without one the function compiles for every other GPU to nothing: what it should have reduced, loaded
or stored stays as it was, and nobody is told. FBGEMM's sum over a wave was the lane's own value on all GPUs but three
(#6014); code that was written for gfx90a and gfx942 meets gfx950 so.

Told, for each target that is asked for, of a device function or kernel whose whole body stands behind conditions that
are false there: on `__gfx942__`, `__GFX9__` and the like, alone or with others, directly or by a macro that the file
defines under such a condition. Not told: bodies with an `#else`, also one that traps; conditions on what the file does
not decide; functions that only wait, set a priority or hint at a schedule, which others can do without; and functions
all of whose calls in the file stand behind such conditions themselves. Listed for review where no kernel of the file
reaches it: who calls it from another file may have chosen the GPU there.

Write the way that works everywhere in the `#else` (`__shfl_xor` for a move between lanes), or `__builtin_trap()`, or
choose the path where the function is called. Nothing is rewritten: it is the author's own code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.branches import Side
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule
from hipport.rewrites.target_branch.conditions import Conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "target-branch"
_ASKS = re.compile(rb"__(?:gfx|GFX)[0-9A-Za-z]+__")
_HINT = re.compile(
    rb"(?:__builtin_amdgcn_(?:s_\w+|sched_\w+|iglp_opt|fence|wave_barrier)|(?:__asm__|asm)\s*(?:volatile|__volatile__)?)"
    rb"\s*\((?:[^()]|\([^()]*\))*\)\s*;"
)
_IDLE = re.compile(rb'"\s*s_(?:nop|waitcnt|sleep|setprio)|\A(?!\s*(?:__asm__|asm))')


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not _ASKS.search(unit.text.code):
        return
    conditions = Conditions(unit.text, target)
    for function in unit.functions:
        at = (function.body + 1, function.end - 1)
        if unit.branches.at(function.start) in (Side.CUDA, Side.DEAD) or conditions.never(function.start):
            continue
        left = list(conditions.asking(*at, _ASKS))
        if not any(_works(unit, *part) for part in left) or conditions.kept(*at).strip():
            continue
        if not _reached(unit, function, conditions, set()):
            continue
        sure = function.kernel or bool(unit.closures_of(function))
        name = unit.text.code.find(function.name.encode(), function.start) if function.name else function.start
        yield finding(
            unit,
            _ID,
            (name, name + len(function.name)),
            f"`{function.name}` is empty on {target.name}: all of it stands behind conditions on other GPUs",
            safety=Safety.MANUAL if sure else Safety.REVIEW,
            status=Status.MANUAL if sure else Status.REVIEW,
            next_step="give the others a way that works in `#else`, or a trap"
            + ("" if sure else "; right as it is if no file calls it there"),
            crosses=False,
        )


def _works(unit: Unit, start: int, end: int) -> bool:
    """Whether a part of a function does more than wait or hint."""
    code, data = unit.text.code[start:end], unit.text.data[start:end]
    left = bytearray(code)
    for match in _HINT.finditer(code):
        if _IDLE.search(data[match.start() : match.end()]):
            left[match.start() : match.end()] = b" " * (match.end() - match.start())
    return bool(re.sub(rb"(?m)^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", b"", bytes(left)).strip())


def _reached(unit: Unit, function: Function, conditions: Conditions, seen: set[int]) -> bool:
    """Whether a function may be called on the target: by another file, or from a place that is compiled for it."""
    if function.kernel or function.start in seen or not function.name:
        return True
    called = re.compile(rb"(?<!\w)" + re.escape(function.name.encode()) + rb"\s*(?:<[^;{}()]*>)?\s*\(")
    places = [m.start() for m in called.finditer(unit.text.code) if not function.start <= m.start() < function.body]
    callers = [(at, unit.function_at(at)) for at in places]
    return not places or any(
        not conditions.never(at)
        and (by is None or by is function or _reached(unit, by, conditions, {*seen, function.start}))
        for at, by in callers
    )


RULE = Rule(
    _ID,
    "Device code that is empty on some GPU",
    ("M5",),
    "warp",
    Provenance("FBGEMM #6014 (15fe064d4); clang AMDGPU support (target macros)", "targets left out: silent"),
    _find,
    native=True,
)
