"""AMD machine code on the CPU against a real NVIDIA GPU: what a name-for-name port breaks on a 64-lane wave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hipport.device import Fidelity, RefusedError, device

if TYPE_CHECKING:
    from hipport.device import Launched
    from hipport.device.executor import Module
    from hipport.toolchain.compiler import Compiler

pytestmark = pytest.mark.amd
HERE = Path(__file__).resolve().parent
COUNT = 1 << 16


def golden(name: str) -> np.ndarray:
    return np.loadtxt(HERE / "golden_h200" / f"{name}.txt")


def keys() -> np.ndarray:
    """The keys that the goldens were made of: an integer hash of 0, 1, 2, ..."""
    x = np.arange(COUNT, dtype=np.uint32) * np.uint32(2654435761)
    x ^= x >> np.uint32(15)
    x *= np.uint32(2246822519)
    return x ^ x >> np.uint32(13)


@pytest.fixture(scope="module", params=["gfx942", "gfx950"])
def module(request: pytest.FixtureRequest, amd: Compiler) -> Module:
    del amd
    return device(f"isa:{request.param}").build(HERE / "kernels" / "warp_width.hip")


def sums(module: Module, kernel: str) -> np.ndarray:
    out = np.full(64, -1, np.float32)
    done = module[kernel](grid=64, block=256, args=[(keys() % 8).astype(np.float32), out, COUNT])
    assert done.fidelity is Fidelity.EXACT
    return out


@pytest.mark.parametrize("kernel", ["sum_wave_tree", "sum_half_waves"])
def test_aware_sums_equal_the_nvidia_gpus(module: Module, kernel: str) -> None:
    out = sums(module, kernel)
    assert (out == golden("block_reduce")).all()
    assert (out == golden("block_reduce32")).all()
    assert out.sum() == (keys() % 8).sum() == 229341


def test_a_tree_that_assumes_32_lanes_loses_half(module: Module) -> None:
    out = sums(module, "sum_hard_coded_tree")
    assert (out < golden("block_reduce")).all()
    assert 0.45 < out.sum() / golden("block_reduce").sum() < 0.55


def ranks(module: Module, kernel: str) -> tuple[np.ndarray, np.ndarray]:
    signs = (keys()[:1024] % 9).astype(np.int32) - 4
    rank, count = np.full(1024, -1, np.int32), np.full(32, -1, np.int32)
    module[kernel](grid=4, block=256, args=[signs, rank, count])
    return rank, count


def test_ranks_by_half_waves_equal_the_nvidia_gpus(module: Module) -> None:
    rank, count = ranks(module, "rank_half_ballot")
    assert (rank == golden("ballot_rank")).all()
    assert (count == golden("ballot_count")).all()


def test_a_ballot_in_32_bits_is_wrong_in_the_upper_halves_alone(module: Module) -> None:
    rank, count = ranks(module, "rank_32_bit_ballot")
    right = (count == golden("ballot_count")).reshape(-1, 2)
    assert right[:, 0].all()
    assert not right[:, 1].all()
    assert (rank.reshape(-1, 64)[:, :32] == golden("ballot_rank").reshape(-1, 64)[:, :32]).all()
    assert (rank != golden("ballot_rank")).any()


def test_atomic_counts_equal_the_nvidia_gpus(module: Module) -> None:
    bins = np.zeros(64, np.uint32)
    module["count_keys"](grid=32, block=256, args=[keys(), bins, COUNT, 64])
    assert (bins == golden("histogram")).all()


def reverse(target: str) -> tuple[Launched, np.ndarray, np.ndarray]:
    n = 96 * 256
    source, out = (keys()[:n] % 8).astype(np.float32), np.full(n, -1, np.float32)
    module = device(f"isa:{target}").build(HERE / "kernels" / "warp_width.hip")
    return module["reverse_in_lds"](grid=1, block=1024, shared=96 * 1024, args=[source, out, n]), source, out


def test_96_kib_of_lds_run_where_the_machine_has_them(amd: Compiler) -> None:
    del amd
    _, source, out = reverse("gfx950")
    assert (out == source[::-1]).all()


def test_96_kib_of_lds_are_refused_where_it_has_not(amd: Compiler) -> None:
    del amd
    with pytest.raises(RefusedError) as caught:
        reverse("gfx942")
    assert caught.value.fault.hip_error == "hipErrorInvalidValue"
    assert "98304" in caught.value.what
