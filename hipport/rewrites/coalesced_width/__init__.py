"""# coalesced-width: the active threads of two warps as one group

`cooperative_groups::coalesced_threads()` gives the active threads of a warp: at most 32 in CUDA, up to 64 on a wave64
target. An aggregated atomic (the leader adds `size()`, the others take their `thread_rank()`) is right with either and
faster with the whole wave: it stays. What is not: a `ballot` or `match_any` kept in 32 bits, a reduction whose leader
stores the sum of "its warp", a size that is compared, a group that other code gets. There the group becomes the own
half of the wave: `binary_partition(coalesced_threads(), (__lane_id() & 32) != 0)`, which on wave32 is the group itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.closure import Mode
from hipport.rewrites.forms import edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "coalesced-width"
_MADE = re.compile(rb"(?<![\w.])((?:\w+\s*::\s*)*)coalesced_threads\s*\(\s*\)")
_NAMED = re.compile(rb"(\w+)\s*(?:=\s*|[({]\s*)\Z")
_DIRECT = re.compile(rb"\s*\.\s*(\w+)\s*\(")
_ANY_SIZE = frozenset({b"thread_rank", b"size", b"num_threads", b"shfl", b"sync"})
_COMPARED = re.compile(rb"\s*\)\s*(?:[<>]=?|[=!]=|[%/&-])")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target) or b"coalesced_threads" not in unit.text.code:
        return
    for match in _MADE.finditer(unit.text.code):
        function = unit.function_at(match.start())
        if function is None or not unit.live(match.start()) or unit.mode_at(match.start()) is Mode.NATIVE:
            continue
        if unit.text.code[max(0, match.start() - 40) : match.start()].rstrip().endswith(b"binary_partition("):
            continue
        use = _use(unit, match, function.end)
        if not use:
            continue
        text = match.group(1) + b"binary_partition(" + match.group() + b", (__lane_id() & 32) != 0)"
        yield finding(
            unit,
            _ID,
            match.span(),
            f"`coalesced_threads()` holds threads of both 32-lane warps of a wave: {use}",
            edits=(edit(unit, match.start(), match.end(), text),),
        )


def _use(unit: Unit, made: re.Match[bytes], end: int) -> str:
    """What is done with a group that 64 threads would change; empty where any size is right."""
    code = unit.text.code
    direct = _DIRECT.match(code, made.end())
    if direct is not None:
        return "" if direct.group(1) in _ANY_SIZE else f"its `{direct.group(1).decode()}` covers them all"
    named = _NAMED.search(code, max(0, made.start() - 80), made.start())
    if named is None:
        return "it is given to other code"
    name = re.escape(named.group(1))
    uses = re.compile(rb"(?<![\w.:])" + name + rb"(?!\w)(\s*\.\s*(\w+)\s*\()?")
    for use in uses.finditer(code, made.end(), end):
        member = use.group(2)
        if member is None:
            return "it is given to other code"
        if member not in _ANY_SIZE:
            return f"its `{member.decode()}` covers them all"
        if member in (b"size", b"num_threads") and _COMPARED.match(code, use.end()):
            return "its size is compared"
    return ""


RULE = Rule(
    _ID,
    "The active threads of two warps as one group",
    ("W10", "S01"),
    "cooperative_groups",
    Provenance(
        "CUDA C++ Programming Guide, cooperative groups (coalesced_threads); HIP amd_hip_cooperative_groups.h",
        "wave64: silent",
    ),
    _find,
)
