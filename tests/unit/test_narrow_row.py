"""What rows narrower than a wave cost, and what packing them saves: the numbers of the page of `narrow-row`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import device
from hipport.rewrites import narrow_row

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

ROWS, COLUMNS = 1024, 16
SOURCE = f"""
constexpr int kColumns = {COLUMNS};
__global__ void rows(const float* x, float* y) {{
  const int column = threadIdx.x;
  if (column < kColumns) y[blockIdx.x * kColumns + column] = 2.0f * x[blockIdx.x * kColumns + column];
}}
__global__ void packed(const float* x, float* y) {{
  constexpr int rows = 64 / kColumns;
  const int row = blockIdx.x * rows + threadIdx.x / kColumns, column = threadIdx.x % kColumns;
  y[row * kColumns + column] = 2.0f * x[row * kColumns + column];
}}
"""


@pytest.mark.amd
def test_packing_rows_takes_a_quarter_of_the_waves(amd: Compiler, tmp_path: Path) -> None:
    del amd
    path = tmp_path / "rows.hip"
    path.write_text(SOURCE, encoding="utf-8")
    module: Any = device("isa:gfx950").build(path, profile=True)
    x = np.arange(ROWS * COLUMNS, dtype=np.float32)
    one, four = np.zeros_like(x), np.zeros_like(x)
    single = module["rows"](grid=ROWS, block=32, args=[x, one]).counts
    packed = module["packed"](grid=ROWS // 4, block=64, args=[x, four]).counts
    assert (one == 2 * x).all()
    assert (four == 2 * x).all()
    numbers = re.findall(r"([\d,]{3,})\s(?=waves|instr)", narrow_row.__doc__ or "")
    said = [int(number.replace(",", "")) for number in numbers]
    assert said == [single["waves"], single["retired"], packed["waves"], packed["retired"]]


def test_every_width_maps_rows_and_columns_one_to_one() -> None:
    for columns in range(1, 65):
        rows = 64 // columns
        places = {(lane // columns, lane % columns) for lane in range(rows * columns)}
        assert places == {(row, column) for row in range(rows) for column in range(columns)}
