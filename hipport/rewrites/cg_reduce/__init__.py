"""# cg-reduce: cooperative groups that ROCm 7.2 lacks

ROCm 7.2 has tiles, coalesced groups and their shuffles and ballots, of any power of two up to the wave:
`tiled_partition<32>` is legal on wave64 and means what it means in CUDA. It has no `cooperative_groups/reduce.h`,
`scan.h` and `memcpy_async.h`, and no `labeled_partition`. The shims supply `cg::reduce` with its operators,
`inclusive_scan`, `exclusive_scan`, `invoke_one`, `labeled_partition`, and `memcpy_async` with its waits (the group
copies, and a wait is its barrier), in the same namespace, so that the calls stay as they are. Copies that complete a
`cuda::barrier` or a `cuda::pipeline` are those of `async-barrier`. Clusters, and reductions and scans that update or
store through a pointer, are left to a person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cg-reduce"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]cooperative_groups/(\w+)\.h[>"]', re.MULTILINE)
_GROUPS = re.compile(rb"cooperative_groups(?:\.h|\b)")
_MISSING = re.compile(
    rb"(?<!\w)(?:(?:cg|cooperative_groups)\s*::\s*(?:experimental\s*::\s*)?)"
    rb"(inclusive_scan|exclusive_scan|inclusive_scan_update|exclusive_scan_update|memcpy_async|wait_prior|wait|this_cluster"
    rb"|cluster_group|invoke_one|invoke_one_broadcast|reduce_update_async|reduce_store_async)(?=\s*[(<]|\s+\w)"
)
_REDUCE = re.compile(
    rb"(?<!\w)(?:cg|cooperative_groups)\s*::\s*(?:reduce|plus|less|greater|bit_and|bit_or|bit_xor)(?=\s*[(<])"
)
_SHIMS = {
    **dict.fromkeys((b"memcpy_async", b"wait", b"wait_prior"), "cg_memcpy_async"),
    **dict.fromkeys((b"inclusive_scan", b"exclusive_scan", b"invoke_one", b"invoke_one_broadcast"), "cg_scan"),
}
_HEADERS = {
    "memcpy_async": ("cg_memcpy_async", "a shim copies at once"),
    "reduce": ("cg_reduce", "`cg::reduce` comes from a shim"),
    "scan": ("cg_scan", "the scans of tiles come from a shim"),
}
_LABELED = re.compile(rb"(?<![\w.])(?:(?:\w+)\s*::\s*)?labeled_partition\s*\(")
_TILE = re.compile(rb"(?:tiled_partition|thread_block_tile)\s*<\s*(\w+)")


def _includes(unit: Unit) -> Iterator[Finding]:
    for match in _INCLUDE.finditer(unit.text.data):
        name = match.group(1).decode()
        if not unit.live(match.start()):
            continue
        span = (match.start(), match.end())
        if name in _HEADERS:
            shim, how = _HEADERS[name]
            yield finding(
                unit,
                _ID,
                span,
                f"`cooperative_groups/{name}.h` is not in ROCm 7.2: {how}",
                edits=(edit(unit, *span, f"// cooperative_groups/{name}.h: see the {shim} shim".encode()),),
                shims=(shim,),
            )
        else:
            yield finding(
                unit,
                _ID,
                span,
                f"`cooperative_groups/{name}.h` is not in ROCm 7.2",
                safety=Safety.MANUAL,
                next_step="write the operation with the group's shuffles, or with hipCUB",
            )


def _reductions(unit: Unit) -> Iterator[Finding]:
    """The uses of `cg::reduce`: they stay as they are, and the shim declares what they call."""
    for match in _REDUCE.finditer(unit.text.code):
        if unit.live(match.start()):
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                "`cg::reduce` is not in ROCm 7.2: a shim declares it",
                status=Status.SHIMMED,
                family="cooperative_groups",
            )


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not _GROUPS.search(unit.text.data):
        return
    yield from _includes(unit)
    yield from _reductions(unit)
    for match in _MISSING.finditer(unit.text.code):
        if not unit.live(match.start()):
            continue
        if match.group(1) in _SHIMS:
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                f"`cg::{match.group(1).decode()}` is not in ROCm 7.2: a shim declares it",
                status=Status.SHIMMED,
                family="cooperative_groups",
                shims=(_SHIMS[match.group(1)],),
            )
        else:
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                f"`cg::{match.group(1).decode()}` is not in ROCm 7.2",
                safety=Safety.MANUAL,
                next_step="AMD has no clusters: let the blocks share through global memory"
                if b"cluster" in match.group(1)
                else "reduce or scan by the group, and let one of its threads update or store",
            )
    for match in _LABELED.finditer(unit.text.code):
        if unit.live(match.start()):
            at = match.start() + match.group().index(b"labeled_partition")
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                "`labeled_partition` is not in ROCm 7.2: it comes from a shim",
                edits=(edit(unit, match.start(), at + len(b"labeled_partition"), b"hipport::labeled_partition"),),
                shims=("labeled_partition",),
            )
    for match in _TILE.finditer(unit.text.code):
        size = unit.macros.value(match.group(1).decode("utf-8", "replace"))
        if size is not None and size > target.warp_size and unit.live(match.start()):
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                f"a tile of {size} threads is larger than the wave of {target.warp_size}: it does not compile",
                safety=Safety.MANUAL,
                next_step="use a tile of at most the wave's lanes, or the block",
            )


RULE = Rule(
    _ID,
    "Cooperative groups that ROCm 7.2 lacks",
    ("S01", "S02"),
    "cooperative_groups",
    Provenance(
        "HIP cooperative groups documentation (unsupported features); HIP issue 3625; rocm-systems issue 2301",
        "all",
        "until hip_reduce.h is released",
    ),
    _find,
)
