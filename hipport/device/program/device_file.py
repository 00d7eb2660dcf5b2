"""What our HIP runtime is told of the target: the numbers of rules/targets.yaml, one `key value` a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.device.isolation import cores, ordering

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.device.executor import Limits
    from hipport.targets import Target

# Device memory may be all but this much of a process's limit: the program's own needs.
_HOST_SHARE = 4


def product(target: Target) -> str:
    """The first product of the target in the table: its compute units and clock are what a program sees."""
    names = [key.split(".")[1] for key in target.facts if key.startswith("products.")]
    return names[0] if names else ""


def rows(target: Target, limits: Limits) -> dict[str, object]:
    """The keys that native/hip_runtime/device.cc reads. What the table does not know is 0."""
    shown = product(target)

    def known(key: str, scale: int = 1) -> int:
        value = target.fact(key).value if target.knows(key) else 0
        return int(value * scale)

    def of_product(key: str, scale: int = 1) -> int:
        return known(f"products.{shown}.{key}", scale)

    ordering(limits.order)
    return {
        "name": f"AMD Instinct {shown} (hipport isa executor)" if shown else f"{target.name} (hipport isa executor)",
        "arch": target.name,
        "memory_bytes": of_product("mem_gib", 1 << 30),
        "memory_limit": limits.memory * (_HOST_SHARE - 1) // _HOST_SHARE,
        "wave_size": target.warp_size,
        "lds_bytes": target.lds_dynamic_bytes,
        "lds_granule": target.lds_granule,
        "lds_banks": known("lds_banks"),
        "threads_per_block": target.max_threads_per_block,
        "threads_per_cu": known("max_threads_per_cu"),
        "waves_per_simd": known("max_waves_per_simd"),
        "simds_per_cu": known("simds_per_cu"),
        "vgprs_per_simd_lane": known("vgprs_per_simd_lane"),
        "vgpr_granule": known("vgpr_alloc_granule"),
        "blocks_per_cu": known("max_blocks_per_cu"),
        "compute_units": of_product("cu"),
        "clock_khz": of_product("clock_mhz", 1000),
        "clock_counter_khz": known("constant_clock_khz"),
        "l2_bytes": of_product("l2_mb", 1 << 20),
        "threads": limits.threads or cores(),
        "order": limits.order,
        "instruction_budget": limits.budget,
        "poison": int(limits.poison),
    }


def text(target: Target, limits: Limits) -> str:
    """The text of the file that $HIPPORT_DEVICE names."""
    return "".join(f"{key} {value}\n" for key, value in rows(target, limits).items())


def write(path: Path, target: Target, limits: Limits) -> None:
    """Write that file."""
    path.write_text(text(target, limits), encoding="utf-8")
