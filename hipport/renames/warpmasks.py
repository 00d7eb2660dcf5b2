"""Warp masks, where only names are ported: the rules for warps mend them, without those they must not go unsaid.

ROCm 7 knows CUDA's `*_sync` functions with a mask of 64 bits, one a lane of a wave. A 32-bit literal does not compile,
and a result of `__ballot_sync` loses half its bits in an `unsigned`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern
from hipport.renames.calls import call_at
from hipport.renames.occurrences import Place, occurrences, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

_MASKED = frozenset(
    b"__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __all_sync __any_sync __ballot_sync __syncwarp "
    b"__match_any_sync __match_all_sync __reduce_add_sync __reduce_and_sync __reduce_max_sync __reduce_min_sync "
    b"__reduce_or_sync __reduce_xor_sync".split()
)
_GIVES_MASK = frozenset({b"__ballot_sync", b"__activemask", b"__match_any_sync", b"__match_all_sync", b"__ballot"})
_LITERAL = pattern(rb"\(*\s*(?:0[xX][0-9a-fA-F]+|\d+)\s*([uUlL]*)\s*\)*")
_WIDE = pattern(rb"(?:uint64_t|unsigned\s+long\s+long|__activemask|__ballot|long\s+long)\b")
_NEXT = "port with the warp rules too (without `--only rename`)"


def find_warp_masks(reading: Reading) -> Iterator[Finding]:
    """Findings about masks of 32 bits, and about results that hold a mask."""
    present = reading.words & (_MASKED | _GIVES_MASK)
    for position, name in occurrences(reading, present) if present else ():
        end = position + len(name)
        place, _ = place_of(reading, position, end)
        call = call_at(reading, end)
        if place not in (Place.PLAIN, Place.GLOBAL) or call is None or reading.is_dead(position):
            continue
        text = name.decode()
        if name in _MASKED and call.arguments:
            mask = reading.code[slice(*call.arguments[0])]
            if _is_narrow(reading, mask):
                yield reading.finding(
                    "warp-mask", position, end, f"the mask of `{text}` has 32 bits: ROCm takes 64 and refuses it",
                    Safety.MANUAL, Status.MANUAL, "warp", next_step=_NEXT,
                )  # fmt: skip
                continue
        if name in _GIVES_MASK:
            yield reading.finding(
                "warp-mask", position, end, f"`{text}` gives 64 bits on AMD: an `unsigned` keeps half of them",
                Safety.REVIEW, Status.REVIEW, "warp", next_step=_NEXT,
            )  # fmt: skip
        elif name in _MASKED and call.arguments and not _WIDE.search(mask) and not _LITERAL.fullmatch(mask):
            yield reading.finding(
                "warp-mask", position, end, f"the mask of `{text}` must have 64 bits on AMD", Safety.REVIEW,
                Status.REVIEW, "warp", next_step=_NEXT,
            )  # fmt: skip


def _is_narrow(reading: Reading, mask: bytes) -> bool:
    """Whether a mask is a literal of at most 32 bits, or a macro that stands for one."""
    literal = _LITERAL.fullmatch(mask.strip())
    if literal:
        return literal[1].lower().count(b"l") == 0
    if not re.fullmatch(rb"\w+", mask):
        return False
    defined = re.search(rb"#[ \t]*define[ \t]+" + mask + rb"[ \t]+([^\n]+)", reading.code)
    value = _LITERAL.fullmatch(defined[1].strip()) if defined else None
    return value is not None and value[1].lower().count(b"l") == 0
