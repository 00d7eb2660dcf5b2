"""The warp shims with inactive lanes, masks, widths of 1 to 64 and blocks of all sizes, on AMD machine code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.errors import UntestedError
from hipport.porting import shims
from hipport.resources import data_dir

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

EXECUTED = ("gfx942", "gfx950")
THREADS = 192  # three waves of 64, six warps of 32
MASKS = (0xFFFFFFFF, 0x0000FFFF, 0x80000001, 0x5555AAAA, 0x00010000)
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
NAMES = (
    "half_wave",
    "reduce_sync",
    "wave_reduce",
    "cg_reduce",
    "labeled_partition",
    "syncwarp",
    "shuffle_bfloat16",
    "lane_xor",
)

KERNELS = """
namespace cg = cooperative_groups;
struct Plus { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Larger { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };

// Lanes with active[t] == 0 take no part.
extern "C" __global__ void votes(const int* x, const int* active, unsigned* out, unsigned mask) {
  unsigned t = threadIdx.x, *row = out + t * 6;
  if (active[t] && (mask >> (t & 31) & 1)) {
    row[0] = hipport::activemask();
    row[1] = hipport::ballot(mask, x[t] & 1);
    row[2] = hipport::any(mask, x[t] > 80) + 2 * hipport::all(mask, x[t] > 3);
    row[3] = hipport::match_any(mask, x[t] % 5);
    int same = -1;
    row[4] = hipport::match_all(mask, (long long)(x[t] / 64) << 40, &same);
    row[5] = same;
  }
}
extern "C" __global__ void match_floats(const float* x, unsigned* out) {
  out[threadIdx.x] = hipport::match_any(0xffffffffu, x[threadIdx.x]);
  out[blockDim.x + threadIdx.x] = hipport::match_any(0xffffffffu, (double)x[threadIdx.x]);
}
extern "C" __global__ void reductions(const int* x, const int* active, int* out, unsigned mask) {
  unsigned t = threadIdx.x;
  int* row = out + t * 4;
  if (active[t] && (mask >> (t & 31) & 1)) {
    row[0] = hipport::reduce_add(mask, x[t]);
    row[1] = hipport::reduce_min(mask, x[t]);
    row[2] = hipport::reduce_max(mask, x[t]);
    row[3] = (int)hipport::reduce_xor(mask, (unsigned)x[t]);
  }
}
template <int W> __device__ void widths(const int* x, const int* active, int* sums, int* most, int* tiles, int n) {
  int t = threadIdx.x;
  if (!active[t / W * W]) return;  // whole groups of W leave
  auto tile = cg::tiled_partition<W>(cg::this_thread_block());
  sums[t] = hipport::wave_reduce<W>(x[t], Plus());
  most[t] = (int)hipport::wave_reduce<W>((double)x[t], Larger());
  tiles[t] = cg::reduce(tile, x[t], cg::plus<int>()) * 100 + cg::reduce(tile, x[t], cg::greater<int>());
}
extern "C" __global__ void by_width(const int* x, const int* active, int* sums, int* most, int* tiles, int width) {
  switch (width) {
CASES
  }
}
extern "C" __global__ void coalesced(const int* x, const int* active, int* out) {
  int t = threadIdx.x, *row = out + t * 5;
  if (!active[t]) return;
  auto half = cg::binary_partition(cg::coalesced_threads(), (__lane_id() & 32) != 0);
  row[0] = cg::reduce(half, x[t], cg::plus<int>());
  auto same = hipport::labeled_partition(half, x[t] % 3);
  row[1] = same.size();
  row[2] = cg::reduce(same, x[t], cg::less<int>());
  auto inner = hipport::labeled_partition(same, x[t] % 2);  // groups of groups
  row[3] = inner.size();
  row[4] = hipport::labeled_partition(cg::coalesced_threads(), x[t] % 3).size();
}
extern "C" __global__ void blocks(const int* x, int* total, double* largest) {
  __shared__ int sums[32];
  __shared__ double most[32];
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int sum = hipport::block_reduce(x[t], 0, Plus(), sums);
  double high = hipport::block_reduce((double)x[t], -1e9, Larger(), most);
  if (t == 0) total[0] = sum, largest[0] = high;
}
extern "C" __global__ void handed_on(const int* x, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[t];
  for (int d = 1; d < 32; d <<= 1) {
    hipport_syncwarp();
    int other = s[t ^ d];
    hipport_syncwarp();
    s[t] += other;
  }
  out[t] = s[t];
}
"""


def source() -> str:
    text = "".join(shims.header(name).replace("#pragma once\n", "") for name in NAMES)
    # the fallback of ROCm 6, under a name that ROCm 7 has not
    text = text.replace("#if defined(HIP_VERSION_MAJOR) && HIP_VERSION_MAJOR < 7", "#if 1").replace(
        "void __syncwarp()", "void hipport_syncwarp()"
    )
    cases = "".join(f"    case {w}: widths<{w}>(x, active, sums, most, tiles, 0); break;\n" for w in WIDTHS)
    more = (data_dir("shims") / f"{name}.test.hip" for name in ("shuffle_bfloat16", "lane_xor"))
    return text + KERNELS.replace("CASES\n", cases) + "".join(path.read_text() for path in more)


@pytest.fixture(scope="module", params=EXECUTED)
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Compiler) -> Any:
    del amd
    import hipport

    path = tmp_path_factory.mktemp("lanes") / "lanes.hip"
    path.write_text(source())
    try:
        return hipport.device(f"isa:{request.param}").build(path)
    except UntestedError as error:
        pytest.skip(str(error))


def patterns() -> list[np.ndarray[Any, Any]]:
    """Which lanes are active: all, none of one warp, one lane a warp, and at random."""
    t = np.arange(THREADS)
    some = np.random.default_rng(5)
    return [
        np.ones(THREADS, np.int32),
        (t // 32 != 1).astype(np.int32),
        (t % 32 == 31 - t // 32).astype(np.int32),
        (t < 77).astype(np.int32),
        *(some.integers(0, 2, THREADS).astype(np.int32) for _ in range(2)),
    ]


def values() -> np.ndarray[Any, Any]:
    return ((np.arange(THREADS) * 37) % 101).astype(np.int32)


def bits(lanes: list[int]) -> int:
    return sum(1 << lane % 32 for lane in lanes)


def members(t: int, active: np.ndarray[Any, Any], mask: int) -> list[int]:
    first = t // 32 * 32
    return [o for o in range(first, first + 32) if active[o] and mask >> o % 32 & 1]


@pytest.mark.amd
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("active", patterns())
def test_votes_and_matches_see_the_active_lanes_of_their_warp(module: Any, active: Any, mask: int) -> None:
    x = values()
    out = np.full((THREADS, 6), 0xDEAD, np.uint32)
    module["votes"](grid=1, block=THREADS, args=[x, active, out, mask])
    for t in range(THREADS):
        lanes = members(t, active, mask)
        if t not in lanes:
            assert set(out[t]) == {0xDEAD}
            continue
        same = len({x[o] // 64 for o in lanes}) == 1
        votes = int(any(x[o] > 80 for o in lanes)) + 2 * int(all(x[o] > 3 for o in lanes))
        match = bits([o for o in lanes if x[o] % 5 == x[t] % 5])
        assert list(out[t]) == [
            bits(lanes),
            bits([o for o in lanes if x[o] & 1]),
            votes,
            match,
            bits(lanes) * same,
            same,
        ]


@pytest.mark.amd
def test_floats_are_matched_by_their_bits(module: Any) -> None:
    x = np.array([np.nan, 0.0, -0.0, 1.5] * 16, np.float32)
    out = np.zeros((2, 64), np.uint32)
    module["match_floats"](grid=1, block=64, args=[x, out])
    assert all(out[kind, t] == 0x11111111 << t % 4 for kind in (0, 1) for t in range(64))


@pytest.mark.amd
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("active", patterns())
def test_reductions_take_the_active_lanes_of_the_mask(module: Any, active: Any, mask: int) -> None:
    x = values() - 40
    out = np.full((THREADS, 4), -999, np.int32)
    module["reductions"](grid=1, block=THREADS, args=[x, active, out, mask])
    for t in range(THREADS):
        lanes = x[members(t, active, mask)]
        mine = active[t] and mask >> t % 32 & 1
        want = [lanes.sum(), lanes.min(), lanes.max(), np.bitwise_xor.reduce(lanes)] if mine else [-999] * 4
        assert list(out[t]) == want


@pytest.mark.amd
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("active", patterns()[:2])
def test_groups_of_every_width_reduce_among_themselves(module: Any, active: Any, width: int) -> None:
    x = values()
    sums, most, tiles = (np.full(THREADS, -1, np.int32) for _ in range(3))
    module["by_width"](grid=1, block=THREADS, args=[x, active, sums, most, tiles, width])
    groups, present = x.reshape(-1, width), active[::width] != 0
    add, high = (np.where(present, f(groups, axis=1), -1).repeat(width) for f in (np.sum, np.max))
    assert (sums == add).all()
    assert (most == high).all()
    assert (tiles == np.where(present.repeat(width), add * 100 + high, -1)).all()


@pytest.mark.amd
@pytest.mark.parametrize("active", patterns())
def test_coalesced_groups_of_any_shape(module: Any, active: Any) -> None:
    x = values()
    out = np.full((THREADS, 5), -1, np.int32)
    module["coalesced"](grid=1, block=THREADS, args=[x, active, out])
    for t in range(THREADS):
        if not active[t]:
            assert set(out[t]) == {-1}
            continue
        lanes = members(t, active, 0xFFFFFFFF)
        same = [o for o in lanes if x[o] % 3 == x[t] % 3]
        inner = [o for o in same if x[o] % 2 == x[t] % 2]
        assert list(out[t]) == [x[lanes].sum(), len(same), x[same].min(), len(inner), len(same)]


@pytest.mark.amd
@pytest.mark.parametrize("block", [1, 31, 32, 33, 63, 64, 65, 100, 1000, (16, 16), (5, 7, 3), (1, 1, 33)])
def test_blocks_of_any_size_reduce(module: Any, block: Any) -> None:
    threads = int(np.prod(block))
    x = ((np.arange(threads) * 13) % 97 - 11).astype(np.int32)
    total, largest = np.zeros(1, np.int32), np.zeros(1)
    module["blocks"](grid=1, block=block, args=[x, total, largest])
    assert total[0] == x.sum()
    assert largest[0] == x.max()


@pytest.mark.amd
def test_pairs_of_bfloat16_are_shuffled_as_words(module: Any) -> None:
    x = np.random.default_rng(3).integers(0, 1 << 32, 64, np.uint32)
    out = np.zeros((64, 4), np.uint32)
    module["shuffle_bfloat16"](grid=1, block=64, args=[x, out])
    t = np.arange(64)
    up = np.where(t % 16 < 3, t, t - 3)
    down = np.where(t % 32 == 31, t, t + 1)
    assert (out == np.stack([x[t // 32 * 32 + 5], x[up], x[down % 64], x[t ^ 7]], 1)).all()


@pytest.mark.amd
def test_a_butterfly_between_registers_is_that_of_shuffles(module: Any) -> None:
    x = values()
    out, sums = np.zeros((THREADS, 5), np.int32), np.zeros(THREADS)
    module["lane_xor"](grid=1, block=THREADS, args=[x, out, sums])
    t = np.arange(THREADS)
    assert (out == np.stack([x[t ^ mask] for mask in (1, 2, 4, 8, 16)], 1)).all()
    assert (sums == x.reshape(-1, 32).sum(1).repeat(32)).all()
    out = np.zeros((THREADS, 9), np.int32)
    module["lane_xor_masks"](grid=1, block=THREADS, args=[x, out])
    assert (out == np.stack([x[t ^ mask] for mask in (3, 5, 6, 7, 9, 13, 15, 21, 31)], 1)).all()


@pytest.mark.amd
@pytest.mark.parametrize("active", patterns())
def test_a_shuffle_between_registers_is_hips_own_for_every_mask_and_inactive_lanes(module: Any, active: Any) -> None:
    x = values()
    for mask, width in ((0, 32), (1, 32), (5, 8), (16, 32), (16, 16), (31, 32), (32, 64)):
        out = np.zeros((THREADS, 4), np.int32)
        module["lane_xor_as_shuffle"](grid=1, block=THREADS, args=[x, active, out, mask, width])
        assert (out[:, 0] == out[:, 1]).all()
        assert (out[:, 2] == active).all()


@pytest.mark.amd
def test_the_old_syncwarp_orders_lds(module: Any) -> None:
    x = values()
    out = np.zeros(THREADS, np.int32)
    module["handed_on"](grid=1, block=THREADS, args=[x, out])
    assert (out == x.reshape(-1, 32).sum(1).repeat(32)).all()


@pytest.mark.amd
@pytest.mark.parametrize("target", ["gfx90a", "gfx1100", "gfx1201"])
def test_they_compile_where_they_are_not_run(
    target: str, tmp_path_factory: pytest.TempPathFactory, amd: Compiler
) -> None:
    path = tmp_path_factory.mktemp("lanes") / "lanes.hip"
    text = source() if target == "gfx90a" else source().replace("    case 64:", "    // no tile of 64:")
    path.write_text(text)
    done = amd.compile(path, target, kind="asm", options=["-O0"])
    assert done.ok, done.log
