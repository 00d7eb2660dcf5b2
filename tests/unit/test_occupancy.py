"""Occupancy against tables that others published, and against the compiler's own table."""

from __future__ import annotations

import pytest

from hipport.perfmodel.occupancy import occupancy, waves_by_vgpr
from hipport.targets import Vendor, load, target

AMD = [t.name for t in load().values() if t.vendor is Vendor.AMD]


@pytest.mark.parametrize("name", AMD)
def test_waves_by_vgpr_are_those_of_the_compilers_table(name: str) -> None:
    """`occupancy_by_vgpr` was read off LLVM itself, one compilation a register count."""
    gpu = target(name)
    steps = gpu.fact("occupancy_by_vgpr").value
    for step, following in zip(steps, (*steps[1:], None), strict=True):
        first = step["vgprs_at_least"]
        last = following["vgprs_at_least"] - 1 if following else first
        for count in (first, last):
            assert waves_by_vgpr(gpu, count) == step["waves_per_simd"], count


@pytest.mark.parametrize("name", ["gfx90a", "gfx942", "gfx950"])
def test_agprs_take_from_the_same_file(name: str) -> None:
    gpu = target(name)
    assert waves_by_vgpr(gpu, 128) == 4
    assert waves_by_vgpr(gpu, 128, 128) == 2
    assert waves_by_vgpr(gpu, 126, 128) == 2  # AGPRs start at a multiple of four
    assert waves_by_vgpr(gpu, 256, 256) == 1


def test_agprs_of_gfx908_have_a_file_of_their_own() -> None:
    assert waves_by_vgpr(target("gfx908"), 64, 64) == waves_by_vgpr(target("gfx908"), 64)


@pytest.mark.parametrize(
    ("name", "lds", "blocks"),
    [
        ("gfx942", 32 * 1024, 2),
        ("gfx942", 32 * 1024 + 1, 1),
        ("gfx942", 64 * 1024, 1),
        ("gfx950", 80 * 1024, 2),
        ("gfx950", 80 * 1024 + 1, 1),
        ("gfx950", 40961, 3),  # 40961 takes 33 granules of 1280: four would need 168960
        ("gfx950", 160 * 1024, 1),
        ("gfx1100", 64 * 1024, 2),  # 128 KiB for the two CUs of a WGP
        ("sm_90", 100 * 1024, 2),
    ],
)
def test_blocks_by_lds(name: str, lds: int, blocks: int) -> None:
    found = occupancy(target(name), vgprs=16, lds_bytes=lds, block_size=256)
    assert found.blocks == blocks
    assert found.limit == "lds"


def test_the_granule_is_what_the_compilers_remark_leaves_out() -> None:
    """40 960 bytes are 32 granules exactly, one byte more are 33: a quarter of the blocks is gone."""
    gpu = target("gfx950")
    exact, over = (occupancy(gpu, vgprs=16, lds_bytes=size, block_size=256) for size in (40960, 40961))
    assert (exact.blocks, over.blocks) == (4, 3)


@pytest.mark.parametrize(("name", "lds"), [("gfx942", 65537), ("gfx950", 163841), ("sm_90", 232449)])
def test_more_than_a_block_may_have_does_not_fit(name: str, lds: int) -> None:
    found = occupancy(target(name), vgprs=16, lds_bytes=lds, block_size=64)
    assert (found.blocks, found.waves_per_simd, found.limit) == (0, 0, "does not fit")


@pytest.mark.parametrize(
    ("vgprs", "block", "waves", "limit"),
    [(64, 256, 8, "waves"), (65, 256, 7, "registers"), (128, 1024, 4, "registers"), (168, 1024, 0, "does not fit")],
)
def test_registers_bound_whole_blocks(vgprs: int, block: int, waves: int, limit: str) -> None:
    found = occupancy(target("gfx942"), vgprs=vgprs, block_size=block)
    assert (found.waves_per_simd, found.limit) == (waves, limit)


def test_small_blocks_are_bound_by_their_number() -> None:
    found = occupancy(target("sm_90"), vgprs=16, block_size=32)
    assert (found.blocks, found.limit) == (32, "blocks")


@pytest.mark.parametrize(
    ("name", "registers", "block", "warps"),
    # CUDA's occupancy calculator for these architectures
    [("sm_80", 32, 1024, 64), ("sm_80", 64, 256, 32), ("sm_86", 40, 256, 48), ("sm_90", 255, 256, 8)],
)
def test_warps_by_registers(name: str, registers: int, block: int, warps: int) -> None:
    assert occupancy(target(name), vgprs=registers, block_size=block).waves == warps


def test_wave64_on_a_wave32_machine_halves_the_file() -> None:
    gpu = target("gfx1100")
    assert waves_by_vgpr(gpu, 96, wave=32) == 16
    assert waves_by_vgpr(gpu, 96, wave=64) == 8
