"""What a transpose by tiles of a warp's width costs, executed: the table of the page of `tile-width`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import device
from hipport.rewrites import tile_width

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SIZE = 128
SOURCE = """
template <int T, int P, int R>
__global__ void transpose(const float* x, float* y, int n) {
  __shared__ float tile[T][P];
  int i = blockIdx.x * T + threadIdx.x, j = blockIdx.y * T + threadIdx.y;
  for (int k = 0; k < T; k += R) tile[threadIdx.y + k][threadIdx.x] = x[(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * T + threadIdx.x, j = blockIdx.x * T + threadIdx.y;
  for (int k = 0; k < T; k += R) y[(j + k) * n + i] = tile[threadIdx.x][threadIdx.y + k];
}
template __global__ void transpose<32, 32, 8>(const float*, float*, int);
template __global__ void transpose<32, 33, 8>(const float*, float*, int);
template __global__ void transpose<64, 65, 4>(const float*, float*, int);
"""
ROW = re.compile(r"\| `\[(\d+)\]\[(\d+)\]` \| \d+ by (\d+) \| (\d+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|")


@pytest.mark.amd
def test_a_tile_of_a_waves_width_takes_less_of_everything(amd: Compiler, tmp_path: Path) -> None:
    del amd
    path = tmp_path / "transpose.hip"
    path.write_text(SOURCE, encoding="utf-8")
    modules: list[Any] = [device(f"isa:{target}").build(path, profile=True) for target in ("gfx942", "gfx950")]
    x = np.arange(SIZE * SIZE, dtype=np.float32)
    rows = ROW.findall(tile_width.__doc__ or "")
    assert len(rows) == 3
    for row in rows:
        tile, padded, lines, *said = (int(word.replace(",", "")) for word in row)
        counts = []
        for module in modules:
            y = np.zeros_like(x)
            kernel = module[f"transpose<{tile}, {padded}, {lines}>"]
            blocks = SIZE // tile
            counts.append(kernel(grid=(blocks, blocks), block=(tile, lines), args=[x, y, np.int32(SIZE)]).counts)
            assert (y.reshape(SIZE, SIZE) == x.reshape(SIZE, SIZE).T).all()
        conflicts = [count["lds_conflicts"] for count in counts]
        assert said == [counts[0]["waves"], counts[0]["retired"], *conflicts]
