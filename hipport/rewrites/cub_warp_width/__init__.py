"""# cub-warp-width: CUB's warp primitives without a width

`cub::WarpReduce<T>` and its kin work on 32 lanes; hipCUB's default is the wave of the target, 64 on gfx9. Code that
sizes its storage or picks its writer by `/ 32` then gets sums of two warps, or overruns its storage. No compiler
warns. The rewrite spells the width: `WarpReduce<T, 32>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import edit, finding, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cub-warp-width"
# template arguments before the logical width (CUB's documentation), and what stands in for those left out
_BEFORE = {
    "WarpReduce": (),
    "WarpScan": (),
    "WarpExchange": ("",),
    "WarpMergeSort": ("",),
    "WarpLoad": ("", "WARP_LOAD_DIRECT"),
    "WarpStore": ("", "WARP_STORE_DIRECT"),
}
_USE = re.compile(rb"(?<![\w.])((?:\w+\s*::\s*)*)(" + b"|".join(n.encode() for n in _BEFORE) + rb")\s*<")
_USING = re.compile(rb"using\s+namespace\s+(?:\w+::)*(?:hip)?cub\s*;|using\s+(?:::)?(?:hip)?cub::Warp")
_ALIAS = re.compile(rb"namespace\s+(\w+)\s*=\s*(?:::)?(?:hip)?cub\s*;")


def _from_cub(unit: Unit, qualifier: bytes) -> bool:
    names = [part.strip() for part in qualifier.split(b"::") if part.strip()]
    if not names:
        return _USING.search(unit.text.code) is not None
    aliases = {m.group(1) for m in _ALIAS.finditer(unit.text.code)}
    return names[-1] in aliases | {b"cub", b"hipcub"}


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not wide(target):
        return
    for match in _USE.finditer(unit.text.code):
        name = match.group(2).decode()
        if not unit.live(match.start()) or not _from_cub(unit, match.group(1)):
            continue
        close, arguments = unit.text.angles(match.end() - 1)
        before = _BEFORE[name]
        if close < 0 or len(arguments) != 1 + len(before):
            continue
        yield finding(
            unit,
            _ID,
            (match.start(), close + 1),
            f"`{name}` without a width takes the wave's 64 lanes instead of a warp's 32",
            edits=(edit(unit, close, close, b", 32"),),
        )


RULE = Rule(
    _ID,
    "CUB's warp primitives without a width",
    ("W22",),
    "warp",
    Provenance("CUB documentation (LOGICAL_WARP_THREADS); hipCUB issue 122", "wave64: silent"),
    _find,
)
