"""Waves that fit on a compute unit, from registers, LDS and the block's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.targets import Vendor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.targets import Target


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How many waves (warps) run at once, and what bounds them.

    `blocks` and `waves` are those that share one LDS: a CU's, an SM's, or on RDNA a WGP's. `waves_per_simd` is `waves`
    over its SIMDs, rounded down, and at least 1. `limit` is the resource that binds: `registers`, `lds`, `blocks`,
    `waves`, or `does not fit` where not even one block does.
    """

    waves_per_simd: int
    blocks: int
    waves: int
    max_waves_per_simd: int
    limit: str


def rounded_up(value: int, granule: int) -> int:
    """`value` rounded up to a multiple of `granule`."""
    return -(-value // granule) * granule


def waves_by_vgpr(target: Target, vgprs: int, agprs: int = 0, wave: int = 0) -> int:
    """Waves of an AMD SIMD that its vector registers hold.

    Each wave takes its VGPRs, rounded up to the allocation granule, out of the SIMD's file. Where VGPRs and AGPRs share
    the file (CDNA2 and later) AGPRs start at a multiple of 4 after the VGPRs; elsewhere the larger count decides. A
    wave of twice the default width halves the file and the granule. Source: LLVM's AMDGPUBaseInfo.cpp
    (getTotalNumVGPRs, getNumWavesPerEUWithNumVGPRs, getVGPRAllocGranule).

    Args:
        target: an AMD target.
        vgprs: architectural VGPRs of a lane.
        agprs: accumulation VGPRs of a lane.
        wave: lanes of a wave; 0 is the target's default.

    Raises:
        UsageError: the target has no such waves.
    """
    if wave and wave not in target.fact("wave_modes").value:
        raise UsageError(f"{target.name} has no waves of {wave} lanes")
    unified = bool(target.fact("vgpr_agpr_unified").value)
    total = rounded_up(vgprs, 4) + agprs if unified and agprs else max(vgprs, agprs)
    file = target.number("vgprs_per_simd_lane")
    granule = target.number("vgpr_alloc_granule")
    if wave > target.warp_size:
        file, granule = file * target.warp_size // wave, granule * target.warp_size // wave
    return min(target.number("max_waves_per_simd"), file // rounded_up(max(total, 1), granule))


def occupancy(
    target: Target, *, vgprs: int, agprs: int = 0, lds_bytes: int = 0, block_size: int, wave: int = 0
) -> Occupancy:
    """Occupancy of a kernel on `target`, of either vendor.

    AMD: a block's LDS is rounded up to the target's allocation granule, which LLVM's own remark leaves out; blocks are
    placed whole. Sources: AMDGPUUsage, COMPUTE_PGM_RSRC2.GRANULATED_LDS_SIZE; hipOccupancy's structure.
    NVIDIA: registers are given to a warp at a time, in a partition of the SM; shared memory includes the block's
    reserve (the SM's size less the opt-in limit). Source: CUDA's cuda_occupancy.h.

    Args:
        target: the GPU.
        vgprs: registers of a lane or thread.
        agprs: accumulation VGPRs of a lane (AMD).
        lds_bytes: static plus dynamic LDS of a block.
        block_size: threads of a block.
        wave: lanes of a wave; 0 is the target's default.
    """
    nvidia = target.vendor is Vendor.NVIDIA
    waves_of_block = -(-block_size // (wave or target.warp_size))
    simds = target.number("simds_per_cu")
    if nvidia:
        most = target.number("max_waves_per_cu") // simds
        by_registers = _warps_by_registers(target, vgprs)
        lds = lds_bytes + target.lds_per_cu_bytes - target.lds_dynamic_bytes
    else:
        simds *= target.number("lds_shared_by_cus")
        most = target.number("max_waves_per_simd")
        by_registers = waves_by_vgpr(target, vgprs, agprs, wave)
        lds = lds_bytes
    bounds = {
        "waves": _most_waves(target, most * simds) // waves_of_block,
        "registers": simds * by_registers // waves_of_block,
        "blocks": target.number("max_blocks_per_cu") * (1 if nvidia else target.number("lds_shared_by_cus")),
    }
    if lds:
        bounds["lds"] = target.lds_per_cu_bytes // rounded_up(lds, target.lds_granule)
    if lds_bytes > target.lds_dynamic_bytes:
        bounds["lds"] = 0
    return _bounded(bounds, waves_of_block, simds, most)


def _bounded(bounds: Mapping[str, int], waves_of_block: int, simds: int, most: int) -> Occupancy:
    blocks = min(bounds.values())
    if blocks <= 0:
        return Occupancy(0, 0, 0, most, "does not fit")
    limit = next(name for name, bound in bounds.items() if bound == blocks)
    waves = blocks * waves_of_block
    return Occupancy(max(1, waves // simds), blocks, waves, most, limit)


def _most_waves(target: Target, by_simd: int) -> int:
    """The waves that share an LDS at most, by the SIMDs' slots and by the CU's own cap where one is known."""
    if not target.knows("max_waves_per_cu") or target.vendor is Vendor.NVIDIA:
        return by_simd
    return min(by_simd, target.number("max_waves_per_cu") * target.number("lds_shared_by_cus"))


def _warps_by_registers(target: Target, registers: int) -> int:
    """Warps of one SM partition that its registers hold."""
    of_warp = rounded_up(max(registers, 1) * target.warp_size, target.number("register_alloc_granule_per_warp"))
    return target.number("registers_per_sm") // target.number("simds_per_cu") // of_warp
