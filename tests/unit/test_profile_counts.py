"""What `--profile` counts, exactly: segments, bank conflicts, atomics and the most updates of one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import device

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

SOURCE = """
__global__ void copy(const int* x, int* y, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i * stride];
}
__global__ void scatter(int* bins, const int* at) {
  atomicAdd(&bins[at[blockIdx.x * blockDim.x + threadIdx.x]], 1);
}
__global__ void one(int* total) { atomicAdd(total, 1); }
__global__ void ticket(int* next, int* out) { out[atomicAdd(next, 1)] = threadIdx.x; }
__global__ void banks(int* out, int stride) {
  __shared__ int s[64 * 33];
  s[threadIdx.x * stride] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x ^ 1) * stride];
}
__global__ void inside(const int* at, int* out) {
  __shared__ int s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[at[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = s[threadIdx.x];
}
"""
# target -> stride -> further passes of one access: 64 banks serve 64 lanes at once, 32 banks twice 32 of them
CONFLICTS = {
    "gfx950": {1: 0, 2: 1, 3: 0, 16: 15, 32: 31, 33: 0},
    "gfx942": {1: 0, 2: 2, 3: 0, 16: 30, 32: 62, 33: 0},
}


@pytest.fixture(scope="module", params=sorted(CONFLICTS))
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Compiler) -> tuple[str, Any]:
    del amd
    path = tmp_path_factory.mktemp("counts") / "counts.hip"
    path.write_text(SOURCE, encoding="utf-8")
    return request.param, device(f"isa:{request.param}").build(path, profile=True)


@pytest.mark.amd
@pytest.mark.parametrize(("stride", "segments"), [(1, 4), (2, 8), (16, 64), (64, 64)])
def test_segments_are_the_64_bytes_that_each_wave_touches(module: Any, stride: int, segments: int) -> None:
    x, y = np.arange(128 * stride, dtype=np.int32), np.zeros(128, np.int32)
    counts = module[1]["copy"](grid=1, block=128, args=[x, y, stride]).counts
    assert counts["waves"] == 2
    assert counts["global_segments"] == 2 * (segments + 4)
    assert counts["global_load_bytes"] == counts["global_store_bytes"] == 512
    assert counts["instructions"]["global_load"] == counts["instructions"]["global_store"] == 2


@pytest.mark.amd
def test_atomics_by_lane_and_the_most_on_one_address(module: Any) -> None:
    at = np.concatenate([np.arange(100) % 9, np.full(92, 4)]).astype(np.int32)
    bins = np.zeros(9, np.int32)
    counts = module[1]["scatter"](grid=3, block=64, args=[bins, at]).counts
    assert bins.max() == 92 + 11
    assert counts["global_atomic_lanes"] == 192
    assert counts["global_atomic_worst"] == bins.max()
    assert counts["global_atomic_bytes"] == 4 * 192
    assert counts["instructions"]["global_atomic"] == 3


@pytest.mark.amd
def test_one_address_takes_one_atomic_a_wave(module: Any) -> None:
    total = np.zeros(1, np.int32)
    counts = module[1]["one"](grid=5, block=100, args=[total]).counts
    assert total[0] == 500
    assert (counts["global_atomic_lanes"], counts["global_atomic_worst"], counts["waves"]) == (10, 10, 10)


@pytest.mark.amd
def test_tickets_take_one_atomic_a_wave_too(module: Any) -> None:
    taken, out = np.zeros(1, np.int32), np.full(500, -1, np.int32)
    counts = module[1]["ticket"](grid=5, block=100, args=[taken, out]).counts
    assert sorted(out) == sorted(list(range(100)) * 5)
    assert (counts["global_atomic_lanes"], counts["waves"]) == (10, 10)


@pytest.mark.amd
def test_bank_conflicts_are_those_of_the_targets_banks(module: Any) -> None:
    target, built = module
    for stride, passes in CONFLICTS[target].items():
        out = np.zeros(64, np.int32)
        counts = built["banks"](grid=1, block=64, args=[out, stride]).counts
        assert list(out) == [t ^ 1 for t in range(64)]
        assert counts["lds_accesses"] == 2
        assert counts["lds_conflicts"] == 2 * passes, stride
        assert counts["lds_load_bytes"] == counts["lds_store_bytes"] == 256
        assert counts["instructions"]["barrier"] in {0, 1}  # none is needed where a block is one wave


@pytest.mark.amd
def test_atomics_in_lds_are_counted_apart(module: Any) -> None:
    at, out = (np.arange(128) // 20).astype(np.int32), np.zeros(8, np.int32)
    counts = module[1]["inside"](grid=1, block=128, args=[at, out]).counts
    assert list(out) == list(np.bincount(at, minlength=8))
    assert counts["lds_atomic_lanes"] == 128
    assert counts["lds_atomic_worst"] == 20
    assert counts["global_atomic_lanes"] == counts["global_atomic_worst"] == 0
    assert counts["instructions"]["barrier"] == 4
