"""wave:32 beside a real NVIDIA GPU's outputs, and its primitives beside numpy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hipport.device import Fidelity, Limits, device
from hipport.device.wave.compiler import cxx_compiler
from hipport.errors import UntestedError

if TYPE_CHECKING:
    from hipport.device.executor import Module

HERE = Path(__file__).resolve().parent
COUNT = 1 << 16


@pytest.fixture(scope="session", autouse=True)
def _needs_a_compiler() -> None:
    try:
        cxx_compiler()
    except UntestedError as error:
        pytest.skip(error.what)


def golden(name: str) -> np.ndarray:
    return np.loadtxt(HERE / "golden_h200" / f"{name}.txt")


def keys() -> np.ndarray:
    """The keys that the goldens were made of: an integer hash of 0, 1, 2, ..."""
    x = np.arange(COUNT, dtype=np.uint32) * np.uint32(2654435761)
    x ^= x >> np.uint32(15)
    x *= np.uint32(2246822519)
    mixed: np.ndarray = x ^ x >> np.uint32(13)
    return mixed


@pytest.fixture(scope="module")
def originals() -> Module:
    return device("wave:32", limits=Limits(seconds=60)).build(HERE / "kernels" / "warp_width.cu")


def test_sums_are_the_nvidia_gpus_bit_for_bit(originals: Module) -> None:
    out = np.full(64, -1, np.float32)
    done = originals["block_reduce"](grid=64, block=256, args=[(keys() % 8).astype(np.float32), out, COUNT])
    assert done.fidelity is Fidelity.EXACT
    assert (out == golden("block_reduce")).all()
    assert out.sum() == 229341


def test_ranks_are_the_nvidia_gpus(originals: Module) -> None:
    signs = (keys()[:1024] % 9).astype(np.int32) - 4
    rank, count = np.full(1024, -1, np.int32), np.full(32, -1, np.int32)
    originals["ballot_rank"](grid=4, block=256, args=[signs, rank, count])
    assert (rank == golden("ballot_rank")).all()
    assert (count == golden("ballot_count")).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_counts_are_the_nvidia_gpus_on_any_number_of_cpu_threads(threads: int) -> None:
    bins = np.zeros(64, np.uint32)
    module = device("wave:32", limits=Limits(seconds=60, threads=threads)).build(HERE / "kernels" / "warp_width.cu")
    module["histogram"](grid=32, block=256, args=[keys(), bins, COUNT, 64])
    assert (bins == golden("histogram")).all()


def test_a_name_for_name_port_loses_lanes_at_64_as_the_machine_code_does() -> None:
    module = device("wave:64", limits=Limits(seconds=60)).build(HERE / "kernels" / "warp_width.hip")
    values = (keys() % 8).astype(np.float32)
    for kernel, right in (("sum_hard_coded_tree", False), ("sum_wave_tree", True), ("sum_half_waves", True)):
        out = np.full(64, -1, np.float32)
        module[kernel](grid=64, block=256, args=[values, out, COUNT])
        assert (out == golden("block_reduce")).all() == right


@pytest.fixture(scope="module", params=[32, 64])
def primitives(request: pytest.FixtureRequest) -> Module:
    return device(f"wave:{request.param}", limits=Limits(seconds=60)).build(HERE / "kernels" / "wave_primitives.cu")


def numbers() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 100, 64).astype(np.int32)


def test_tiles_and_partitions(primitives: Module) -> None:
    x, out = numbers(), np.zeros(256, np.int32)
    primitives["tiles"](grid=1, block=64, args=[x, out])
    rows = x.reshape(4, 16)
    sums, alike, scans, matches = out.reshape(4, 4, 16)
    assert (sums == rows.sum(1, keepdims=True)).all()
    assert (alike == [[max(v for v in row if v % 3 == one % 3) for one in row] for row in rows]).all()
    assert (scans == np.cumsum(rows, 1) - rows).all()
    assert (
        matches == [[sum(1 << j for j, v in enumerate(row) if v % 5 == one % 5) for one in row] for row in rows]
    ).all()


def test_a_grid_barrier_of_a_cooperative_launch(primitives: Module) -> None:
    x = np.zeros(1 + 256, np.int32)
    primitives["grid_wide"](grid=4, block=64, args=[x], cooperative=True)
    assert (x == 256).all()


def test_block_and_warp_primitives_of_cub(primitives: Module) -> None:
    x, out = numbers(), np.zeros(197, np.int32)
    primitives["blocks_of_cub"](grid=1, block=64, args=[x, out])
    assert out[0] == x.sum()
    assert (out[1:65] == np.cumsum(x) - x).all()
    assert (out[65:193] == np.sort(np.concatenate([-x, x]))).all()
    assert (out[193:] == x.reshape(4, 16).max(1)).all()


def test_half_arithmetic_rounds_once_to_nearest_even(primitives: Module) -> None:
    every = np.arange(1 << 16, dtype=np.uint16)
    chance = np.random.default_rng(2)
    a = np.concatenate([every, chance.integers(0, 1 << 16, 1 << 14, dtype=np.uint16)]).view(np.float16)
    b = np.concatenate([every[::-1] ^ 0x1B7, chance.integers(0, 1 << 16, 1 << 14, dtype=np.uint16)]).view(np.float16)
    out = np.zeros(4 * len(a), np.float16)
    primitives["halves"](grid=(len(a) + 255) // 256, block=256, args=[a, b, out, len(a)])
    with np.errstate(all="ignore"):
        wanted = np.concatenate([a + b, a - b, a * b, a / b])
    both = np.isnan(out) & np.isnan(wanted)
    assert (both | (out.view(np.uint16) == wanted.view(np.uint16))).all()


def test_conversions_round_to_nearest_even_and_toward_zero(primitives: Module) -> None:
    chance = np.random.default_rng(1)
    scale = np.float32(10) ** chance.integers(-9, 6, 20000).astype(np.float32)
    edges = [0, -0.0, 65504, 65519.996, 65520, 1e9, np.inf, -np.inf, 6e-8, 2.98e-8, 2.9802322e-8, 2.99e-8, 1e-45]
    x = np.concatenate([chance.standard_normal(20000).astype(np.float32) * scale, np.array(edges, np.float32)])
    n = len(x)
    half, brain, back = np.zeros(n, np.float16), np.zeros(n, np.uint16), np.zeros(n, np.float32)
    primitives["converted"](grid=(n + 255) // 256, block=256, args=[x, half, brain, back, n])
    with np.errstate(all="ignore"):
        assert (half.view(np.uint16) == x.astype(np.float16).view(np.uint16)).all()
    bits = x.view(np.uint32).astype(np.uint64)
    assert (brain == (bits + 0x7FFF + (bits >> 16 & 1)) >> 16).all()
    finite = np.isfinite(x)
    assert (np.abs(back[finite]) <= np.abs(x[finite])).all()
    inside = finite & (np.abs(x) < 65504) & (np.abs(x) > 1e-4)
    assert (np.abs(x[inside] - back[inside]) <= np.abs(x[inside]) / 1024).all()


def test_reductions_matches_and_shuffles_of_warps_of_32() -> None:
    module = device("wave:32", limits=Limits(seconds=60)).build(HERE / "kernels" / "wave_primitives.cu")
    x, out = numbers(), np.zeros(320, np.int32)
    module["votes"](grid=1, block=64, args=[x, out])
    rows = x.reshape(2, 32)
    added, most, alike, counted, moved = out.reshape(5, 2, 32)
    assert (added == rows.sum(1, keepdims=True)).all()
    assert (most == (rows - 50).max(1, keepdims=True)).all()
    assert (alike == [[(row % 4 == one % 4).sum() for one in row] for row in rows]).all()
    assert (counted == (x % 2).sum()).all()
    lane = np.arange(32)
    up = np.where(lane % 8 >= 3, lane - 3, lane)
    assert (moved == rows[:, up] + rows[:, lane ^ 5]).all()
