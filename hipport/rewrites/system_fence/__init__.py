"""# system-fence: __threadfence_system and who sees what it orders

`__threadfence_system()` is in HIP, and orders a thread's accesses for the host and other GPUs. But these see, while the
kernel runs, only what lies in fine-grained memory:

| memory | seen by the host and other GPUs while a kernel runs |
|---|---|
| `cudaHostAlloc`, `cudaMallocHost` (`hipHostMalloc`) | yes, unless `hipHostMallocNonCoherent` |
| `cudaMallocManaged` | yes, unless `hipMemAdviseSetCoarseGrain` |
| `cudaMalloc` | no: after the kernel only |
| `hipExtMallocWithFlags` with `hipDeviceMallocFinegrained` or `hipDeviceMallocUncached` | yes |

With memory of `cudaMalloc` that a peer reads (custom all-reduce, flags over `cudaIpcOpenMemHandle`), the fence is met
and the peer polls a stale line for ever, or reads stale data, without a word. Told where a file with such a fence opens
memory to other GPUs and allocates none that is fine-grained. PTX's `membar.sys` and `fence.*.sys` become the same call.

A fence in a file that shares nothing is told as advice: on MI300 and MI350 a system fence writes back the L2, which
`__threadfence()` does not; where only this GPU reads, that one is enough.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import advice, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "system-fence"
_FENCE = re.compile(rb"(?<![\w.])__threadfence_system\s*\(\s*\)")
_ASM = re.compile(rb"(?<!\w)(?:asm|__asm__)\s*(?:__?volatile(?:__)?|volatile)?\s*\(")
_PTX = re.compile(rb"\bmembar\.sys\b|\bfence\.(?:sc\.|acq_rel\.|acquire\.|release\.)?sys\b")
_PEERS = re.compile(
    rb"(?<!\w)(?:cuda|hip)(?:IpcOpenMemHandle|IpcGetMemHandle|DeviceEnablePeerAccess|MemPoolImportPointer)(?!\w)"
    rb"|(?<!\w)cuMem(?:ImportFromShareableHandle|ExportToShareableHandle|SetAccess)(?!\w)"
)
_FINE = re.compile(
    rb"MallocManaged|HostAlloc|MallocHost|HostMalloc|HostRegister|__managed__|DeviceMallocFinegrained|DeviceMallocUncached"
)
_STEP = (
    "allocate what peers read with hipExtMallocWithFlags(..., hipDeviceMallocUncached), or hipDeviceMallocFinegrained"
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    places = list(_fences(unit))
    if not places or _FINE.search(unit.text.code):
        return
    if _PEERS.search(unit.text.code):
        for place in places:
            yield finding(
                unit,
                _ID,
                place,
                "a fence for the whole system, and memory of cudaMalloc that peers open: they may never see the writes",
                safety=Safety.REVIEW,
                status=Status.REVIEW,
                next_step=_STEP,
                family="sync",
                crosses=False,
            )
    elif target.warp_size > 32:
        yield advice(
            unit,
            _ID,
            places[0],
            "a fence for the whole system writes back the L2: the host and other GPUs see fine-grained memory only",
            "__threadfence() where only this GPU reads; hipHostMalloc or hipExtMallocWithFlags where others do",
            family="sync",
        )


def _fences(unit: Unit) -> Iterator[tuple[int, int]]:
    """The fences of device code, calls and PTX."""
    for match in _FENCE.finditer(unit.text.code):
        if unit.live(match.start()) and unit.function_at(match.start()) is not None:
            yield match.span()
    for match in _ASM.finditer(unit.text.code):
        close = unit.text.close(match.end() - 1)
        inside = unit.live(match.start()) and unit.function_at(match.start()) is not None
        if close > 0 and inside and _PTX.search(unit.text.data, match.end(), close):
            yield match.start(), close + 1


RULE = Rule(
    _ID,
    "A fence for the host and other GPUs",
    ("S07",),
    "sync",
    Provenance(
        "HIP documentation (coherency control, memory fence instructions); LLVM AMDGPU usage (memory model gfx942)",
        "all; gfx942, gfx950: the L2 is written back",
    ),
    _find,
)
