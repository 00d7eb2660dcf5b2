"""What warp code becomes: masks told apart, findings built, blocked closures respected."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Basis, Edit, Finding, Purpose, Safety, Span, Status

if TYPE_CHECKING:
    from hipport.frontend.calls import CallSite
    from hipport.frontend.unit import Unit
    from hipport.targets import Target

LOGICAL_WARP = 32  # lanes of a CUDA warp, CUDA C++ Programming Guide, "SIMT Architecture"
HALF_SHIFT = b" >> (__lane_id() & 32)"
_FULL = frozenset({0xFFFFFFFF, -1, 0xFFFFFFFFFFFFFFFF})
_CALL = re.compile(r"\w\s*\(")


def wide(target: Target) -> bool:
    """Whether a target's wave has more lanes than a CUDA warp."""
    return target.warp_size > LOGICAL_WARP


def is_full(unit: Unit, mask: tuple[int, int]) -> bool:
    """Whether a mask argument is known to name all 32 lanes, or just those that are active."""
    text = unit.text.word(*mask).strip()
    if re.fullmatch(r"\(*\s*__activemask\s*\(\s*\)\s*\)*", text) or text == "UINT_MAX":
        return True
    value = unit.macros.value(text)
    return value in _FULL


def builtin(unit: Unit, name: str) -> bytes:
    """How a HIP function is named in the unit: in brackets where the unit has a macro of that name, to get past it."""
    return f"({name})".encode() if name in unit.macros.functions else name.encode()


def edit(unit: Unit, start: int, end: int, text: bytes) -> Edit:
    """Bytes `start` to `end` of the unit become `text`."""
    return Edit(Span(unit.path, start, end), text)


def source(unit: Unit, piece: tuple[int, int]) -> bytes:
    """The bytes of a range as written."""
    return unit.text.data[piece[0] : piece[1]]


def finding(
    unit: Unit,
    rule: str,
    span: tuple[int, int],
    message: str,
    *,
    edits: tuple[Edit, ...] = (),
    safety: Safety = Safety.SAFE,
    status: Status | None = None,
    next_step: str = "",
    shims: tuple[str, ...] = (),
    purpose: Purpose = Purpose.CORRECTNESS,
    family: str = "warp",
    crosses: bool = True,
) -> Finding:
    """A finding; where every closure around it is blocked its edits are withheld and the reason is given.

    `crosses` is false for an edit that has nothing to do with other lanes: that one is never withheld.
    """
    reason = unit.blocked(span[0]) if crosses else ""
    if edits and reason and purpose is Purpose.CORRECTNESS:
        edits, shims, safety = (), (), Safety.MANUAL
        next_step = f"not rewritten, because its kernel is left whole: {reason}"
    if status is None:
        status = Status.MANUAL if safety is Safety.MANUAL else Status.SHIMMED if shims else Status.REWRITTEN
    basis = Basis.AST if unit.read_whole(span[0]) else Basis.LEXICAL
    place = Span(unit.path, *span)
    return Finding(rule, place, message, safety, status, family, purpose, basis, edits, next_step, (), shims)


def left(
    unit: Unit, rule: str, span: tuple[int, int], message: str, next_step: str, *, family: str = "warp"
) -> Finding:
    """A finding for a person: nothing is edited."""
    return finding(unit, rule, span, message, safety=Safety.MANUAL, next_step=next_step, family=family)


def advice(
    unit: Unit, rule: str, span: tuple[int, int], message: str, next_step: str, *, family: str = "warp"
) -> Finding:
    """A finding about speed that brings no edit."""
    return finding(
        unit,
        rule,
        span,
        message,
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        purpose=Purpose.PERFORMANCE,
        next_step=next_step,
        family=family,
    )


def unreadable(unit: Unit, rule: str, site: CallSite, expected: str) -> Finding:
    """A call whose arguments do not show: a macro supplies some of them."""
    return finding(
        unit,
        rule,
        (site.start, site.end),
        f"`{site.name}` with {len(site.arguments)} visible arguments instead of {expected}: a macro hides them",
        safety=Safety.MANUAL,
        next_step="spell the arguments out, or rewrite the macro by hand",
    )
