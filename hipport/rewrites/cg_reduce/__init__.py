"""# cg-reduce: cooperative groups that ROCm 7.2 lacks

ROCm 7.2 has tiles, coalesced groups and their shuffles and ballots, of any power of two up to the wave:
`tiled_partition<32>` is legal on wave64 and means what it means in CUDA. It has no `cooperative_groups/reduce.h`,
`scan.h` and `memcpy_async.h`, and no `labeled_partition`. The shims supply `cg::reduce` with its operators,
`labeled_partition`, and `memcpy_async` with its waits (the group copies, and a wait is its barrier), in the same
namespace, so that the calls stay as they are. Scans, copies that complete a `cuda::barrier` or a `cuda::pipeline`,
clusters and `invoke_one` are left to a person.
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
    rb"(inclusive_scan|exclusive_scan|memcpy_async|wait_prior|wait|this_cluster|cluster_group|invoke_one|invoke_one_broadcast"
    rb"|reduce_update_async|reduce_store_async)(?=\s*[(<]|\s+\w)"
)
_REDUCE = re.compile(
    rb"(?<!\w)(?:cg|cooperative_groups)\s*::\s*(?:reduce|plus|less|greater|bit_and|bit_or|bit_xor)(?=\s*[(<])"
)
_COPIES = frozenset({b"memcpy_async", b"wait", b"wait_prior"})
_WITH_OBJECTS = re.compile(rb"aligned_size_t|cuda\s*::\s*(?:barrier|pipeline|make_pipeline|memcpy_async)")
_LABELED = re.compile(rb"(?<![\w.])(?:(?:\w+)\s*::\s*)?labeled_partition\s*\(")
_TILE = re.compile(rb"(?:tiled_partition|thread_block_tile)\s*<\s*(\w+)")


def _includes(unit: Unit) -> Iterator[Finding]:
    for match in _INCLUDE.finditer(unit.text.data):
        name = match.group(1).decode()
        if not unit.live(match.start()):
            continue
        span = (match.start(), match.end())
        if name == "memcpy_async" and not _WITH_OBJECTS.search(unit.text.code):
            yield finding(
                unit,
                _ID,
                span,
                "`cooperative_groups/memcpy_async.h` is not in ROCm 7.2: a shim copies at once",
                edits=(edit(unit, *span, b"// cooperative_groups/memcpy_async.h: see the cg_memcpy_async shim"),),
                shims=("cg_memcpy_async",),
            )
        elif name == "reduce":
            yield finding(
                unit,
                _ID,
                span,
                "`cooperative_groups/reduce.h` is not in ROCm 7.2: `cg::reduce` comes from a shim",
                edits=(edit(unit, *span, b"// cooperative_groups/reduce.h: see the cg_reduce shim"),),
                shims=("cg_reduce",),
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
        if match.group(1) in _COPIES and not _WITH_OBJECTS.search(unit.text.code):
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                f"`cg::{match.group(1).decode()}` is not in ROCm 7.2: a shim declares it",
                status=Status.SHIMMED,
                family="cooperative_groups",
                shims=("cg_memcpy_async",),
            )
        else:
            yield finding(
                unit,
                _ID,
                (match.start(), match.end()),
                f"`cg::{match.group(1).decode()}` is not in ROCm 7.2",
                safety=Safety.MANUAL,
                next_step="write it with the group's shuffles, or copy synchronously",
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
