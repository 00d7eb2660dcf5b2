"""What blocks with narrow rows cost at memory, executed: the numbers of the page of `block-rows`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import device
from hipport.rewrites import block_rows

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SIZE = 64
SOURCE = """
__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[j * n + i] = 2 * x[j * n + i];
}
"""


@pytest.mark.amd
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_rows_of_a_wave_take_half_of_the_segments(target: str, amd: Compiler, tmp_path: Path) -> None:
    del amd
    path = tmp_path / "twice.hip"
    path.write_text(SOURCE, encoding="utf-8")
    module: Any = device(f"isa:{target}").build(path, profile=True)
    x = np.arange(SIZE * SIZE, dtype=np.float32)
    counted = []
    for block in ((8, 32), (64, 4)):
        y = np.zeros_like(x)
        grid = (SIZE // block[0], SIZE // block[1])
        counts = module["twice"](grid=grid, block=block, args=[x, y, np.int32(SIZE)]).counts
        assert (y == 2 * x).all()
        counted.append((counts["global_segments"], counts["waves"], counts["retired"]))
    (narrow, *rest), (wide, *same) = counted
    assert rest == same
    said = re.search(r"8 by 32 takes (\d+) segments of 64 bytes, one of 64 by 4 takes (\d+)", block_rows.__doc__ or "")
    assert said
    assert (narrow, wide) == (int(said[1]), int(said[2]))
    assert narrow == 2 * wide
