"""What each kernel of a compilation takes: registers, spills, LDS, scratch, and the occupancy that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hipport.errors import UsageError
from hipport.perfmodel.occupancy import Occupancy, occupancy
from hipport.targets import UnknownFactError, target
from hipport.toolchain.codeobject import CodeObjectError, code_objects, metadata
from hipport.toolchain.demangling import demangled

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class KernelResources:
    """One kernel on one target. Bytes unless the name says otherwise; registers are of one lane, SGPRs of one wave.

    `lds` is static, `dynamic_lds` what a launch adds, if that was told. `scratch` is bytes of a lane. `occupancy` is
    ours, for `block_size` threads and both kinds of LDS; `compiler_occupancy` is the compiler's own number of waves of
    a SIMD (None where it gives none).
    """

    name: str
    target: str
    vgpr: int
    sgpr: int
    agpr: int
    vgpr_spill: int
    sgpr_spill: int
    lds: int
    scratch: int
    wave: int
    block_size: int
    occupancy: Occupancy | None = None
    compiler_occupancy: int | None = None
    dynamic_lds: int = 0
    file: str = ""
    line: int = 0
    demangled: str = ""


def kernels_of(data: bytes, block_size: int = 0) -> tuple[KernelResources, ...]:
    """The kernels of a code object, bundle, host object or program.

    Args:
        data: the file's bytes.
        block_size: threads of a block for the occupancy; 0 takes each kernel's own bound.
    """
    found: list[KernelResources] = []
    for item in code_objects(data):
        rows = metadata(item.data).get("amdhsa.kernels", [])
        try:
            found += [_kernel(row, item.target, block_size) for row in rows]
        except (AttributeError, TypeError, ValueError) as error:
            raise CodeObjectError(f"a damaged metadata note: {error}") from error
    return tuple(found)


def _kernel(row: Mapping[str, Any], name: str, block_size: int) -> KernelResources:
    agpr = int(row.get(".agpr_count", 0))
    # .vgpr_count is the total of a unified file: AGPRs begin at a multiple of four after the VGPRs.
    total = int(row.get(".vgpr_count", 0))
    size = block_size or int(row.get(".max_flat_workgroup_size", 0))
    return with_occupancy(
        KernelResources(
            name=str(row.get(".name", "")),
            demangled=demangled(str(row.get(".name", ""))),
            target=name,
            vgpr=total - agpr if agpr and _unified(name) else total,
            sgpr=int(row.get(".sgpr_count", 0)),
            agpr=agpr,
            vgpr_spill=int(row.get(".vgpr_spill_count", 0)),
            sgpr_spill=int(row.get(".sgpr_spill_count", 0)),
            lds=int(row.get(".group_segment_fixed_size", 0)),
            scratch=int(row.get(".private_segment_fixed_size", 0)),
            wave=int(row.get(".wavefront_size", 0)),
            block_size=size,
        )
    )


def _unified(name: str) -> bool:
    return bool(target(name).fact("vgpr_agpr_unified").value)


def with_occupancy(kernel: KernelResources) -> KernelResources:
    """The kernel with our occupancy; None where the target, or a number that the formula needs, is not known."""
    try:
        value = occupancy(
            target(kernel.target),
            vgprs=kernel.vgpr,
            agprs=kernel.agpr,
            lds_bytes=kernel.lds + kernel.dynamic_lds,
            block_size=kernel.block_size,
            wave=kernel.wave,
        )
    except (UnknownFactError, UsageError):
        return kernel
    return replace(kernel, occupancy=value)
