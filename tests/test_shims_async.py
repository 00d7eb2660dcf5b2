"""The shims for barriers, pipelines and scans of a block, on AMD machine code, in blocks of all sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from test_shims import body_of_test

from hipport.device import FaultError, Limits
from hipport.errors import UntestedError
from hipport.porting import shims

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

pytestmark = pytest.mark.amd
NAMES = ("block_barrier", "block_pipeline", "cg_scan")
BLOCKS = (1, 33, 64, 96, 256, 1000, 1024)
ORDERS = ("in", "random:7")
COMPILED = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250")
QUIET = ("-Wno-unused-const-variable", "-Wno-unused-function")
HALVES = """
extern "C" __global__ void halves(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, 64);
  __syncthreads();
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    ready.arrive_and_wait();
  } else {
    ready.arrive_and_wait();
    x[threadIdx.x] = x[threadIdx.x - 32] + 1;
  }
}
"""


def written(folder: Path) -> Path:
    path = folder / "async.hip"
    path.write_text(
        "".join(shims.header(n).replace("#pragma once\n", "") for n in NAMES)
        + "".join(map(body_of_test, NAMES))
        + HALVES
    )
    return path


@pytest.mark.parametrize("target", COMPILED)
def test_they_compile_together(target: str, tmp_path: Path, amd: Compiler) -> None:
    done = amd.compile(written(tmp_path), target, kind="asm", options=["-O0", "-Wall", "-Werror", *QUIET])
    assert done.ok, done.log


@pytest.fixture(scope="module", params=["gfx942", "gfx950"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Compiler) -> Callable[..., None]:
    """Launches a kernel of these tests, its waves and blocks in an order."""
    del amd
    import hipport

    device: Any = hipport.device(f"isa:{request.param}")
    try:
        module: Any = device.build(written(tmp_path_factory.mktemp("async")))
    except UntestedError as error:
        pytest.skip(str(error))

    def launch(name: str, order: str, grid: int, block: int, *arguments: object) -> None:
        limits = Limits(threads=1, order=order, budget=400_000)
        one = replace(module, executor=replace(module.executor, limits=limits))
        one[name](grid=grid, block=block, args=list(arguments))

    return launch


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("turns", [3, 4])
def test_a_barrier_holds_its_threads_phase_by_phase(
    run: Callable[..., None], block: int, order: str, turns: int
) -> None:
    few = block // 2 + block % 2
    if few > 64:
        few = few // 64 * 64
    x = (np.arange(2 * block, dtype=np.int32) * 37) % 101
    out, phases = np.zeros(2 * block, np.int32), np.zeros(2, np.int32)
    run("block_barrier", order, 2, block, x, out, phases, np.int32(turns), np.int32(few))
    value = x.reshape(2, block).astype(np.int64)
    for k in range(turns):
        value = value + k + np.roll(value, -1, axis=1)
    want = value.copy()
    want[:, :few] = np.roll(value[:, :few] + 1, -1, axis=1)
    assert (out.reshape(2, block) == want.astype(np.int32)).all()
    assert list(phases) == [turns, turns]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_pipeline_hands_over_its_stages_in_order(run: Callable[..., None], block: int, order: str) -> None:
    batches = 5
    x = (np.arange(batches * block, dtype=np.int32) * 53) % 211
    out = np.full((4, block), -1, np.int32)
    run("block_pipeline", order, 1, block, x, out, np.int32(batches))
    tiles, t, half = x.reshape(batches, block), np.arange(block), block // 128 * 64
    assert (out[0] == sum(tiles[k][(t + 1) % block] * (k + 1) for k in range(batches))).all()
    if half:
        assert (out[1][:half] == 0).all()
        assert (out[1][half:] == sum(tiles[k][(t * 7 + k) % block] for k in range(batches))[half:]).all()
    assert (out[2] == tiles[0]).all()
    assert (out[3] == x[:block].view(np.uint8)[1 + (t * 5) % (4 * block - 2)]).all()


@pytest.mark.parametrize("block", [32, 64, 96, 256, 1024])
def test_scans_and_one_thread_of_a_group(run: Callable[..., None], block: int) -> None:
    x = ((np.arange(block) * 31) % 89 - 20).astype(np.int32)
    out, calls = np.full((block, 7), -7, np.int64), np.zeros(1, np.int32)
    run("cg_scan", "in", 1, block, x, out, calls)
    wide, small = x.reshape(-1, 32), x.reshape(-1, 8)
    assert (out[:, 0] == np.cumsum(wide, 1).ravel()).all()
    assert (out[:, 1] == (np.cumsum(wide, 1) - wide).ravel()).all()
    assert (out[:, 2] == np.maximum.accumulate(small, 1).ravel()).all()
    assert (out[:, 3] == (np.cumsum(small, 1) - small).ravel()).all()
    assert (out[:, 4] == np.repeat(wide[:, 0] + 1, 32)).all()
    assert calls[0] == 3 * block // 32
    for wave in range(0, block, 64):
        members = [t for t in range(wave, min(wave + 64, block)) if np.fmod(x[t], 3) != 0]
        assert list(out[members, 5]) == list(np.cumsum(x[members]))
        assert list(out[members, 6]) == list(range(len(members)))


def test_halves_of_a_wave_that_meet_in_two_branches_hang(run: Callable[..., None]) -> None:
    with pytest.raises(FaultError):
        run("halves", "in", 1, 64, np.zeros(64, np.int32))
