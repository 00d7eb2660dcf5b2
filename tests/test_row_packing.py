"""Blocks put together (rules narrow-row, block-shape), executed: the packed kernel gives what the whole grid gave."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from hipport import api
from hipport.config import Config
from hipport.device import Limits, device
from hipport.rewrites import block_shape, narrow_row
from hipport.rewrites.grid_limit.expression import split
from hipport.rewrites.narrow_row import packing

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SOURCE = """
#define COLUMNS 12
#define BLOCK X
__global__ void column(const int* x, int* y, int rows) {
  const int at = blockIdx.x * COLUMNS;
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) y[at + c] += 2 * x[at + c] + rows;
}
__global__ void warp(const int* x, int* y, int rows) {
  const int lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  for (int row = blockIdx.x * warps + threadIdx.x / 32; row < rows; row += gridDim.x * warps) {
    if (lane >= COLUMNS) return;
    y[row * COLUMNS + lane] += 3 * x[row * COLUMNS + lane];
  }
}
__global__ void line(const int* x, int* y, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row < rows && threadIdx.x < COLUMNS / 4) {
    int4 v = ((const int4*)x)[row * (COLUMNS / 4) + threadIdx.x];
    v.x += 1, v.w -= v.y;
    ((int4*)y)[row * (COLUMNS / 4) + threadIdx.x] = v;
  }
}
__global__ void whole(const int* x, int* y, int rows) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < rows * COLUMNS) y[i] += x[i] * 5 - (int)(threadIdx.x + 7 * threadIdx.y + blockIdx.x % 3);
}
void run(const int* x, int* y, int rows) {
  column<<<rows, BLOCK>>>(x, y, rows);
  warp<<<dim3((rows + 7) / 8), BLOCK>>>(x, y, rows);
  line<<<(rows + LINES - 1) / LINES, dim3(32, LINES)>>>(x, y, rows);
  whole<<<(rows * COLUMNS + BLOCK * LINES - 1) / (BLOCK * LINES), dim3(BLOCK, LINES)>>>(x, y, rows);
}
"""
COLUMNS = 12
LAUNCH = re.compile(r"(\w+)<<<(.*)>>>\((?:(.*), )?x, y, rows\)")


class Shot(NamedTuple):
    """A launch as a port writes it: grid and block, and what goes before the arguments."""

    grid: int
    block: Any
    first: tuple[Any, ...]


def shots(text: str, names: dict[str, int]) -> dict[str, Shot]:
    """The launches of a port, worked out."""
    found = {}
    for name, sizes, first in LAUNCH.findall(text):
        grid, block = split(sizes)

        def value(expression: str) -> Any:
            plain = re.sub(r"static_cast<unsigned>", "", expression).replace("/", "//")
            known = {**names, "dim3": lambda *of: of if len(of) > 1 else of[0]}
            return eval(plain, known)  # noqa: S307 - our own text

        found[name] = Shot(value(grid), value(block), (np.uint32(value(first)),) if first else ())
    return found


def sources(folder: Path, block: int, lines: int) -> tuple[Path, Path]:
    """The port with the rules and without them."""
    source = folder / f"k{block}_{lines}.cu"
    source.write_text(SOURCE.replace("BLOCK X", f"BLOCK {block}\n#define LINES {lines}"))
    paths = source.with_suffix(".packed.hip"), source.with_suffix(".plain.hip")
    api.port(source, paths[0], config=Config(optimize=True))
    api.port(source, paths[1], config=Config())
    return paths


def module(path: Path, target: str) -> Any:
    executor: Any = device(f"isa:{target}", limits=Limits(threads=1, order="random:5"))
    return executor.build(path)


def ran(module: Any, name: str, shot: Shot, rows: int) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
    x = np.random.default_rng(rows).integers(-1000, 1000, (rows + 40) * COLUMNS).astype(np.int32)
    y = np.full_like(x, 77)
    done = module[name](grid=shot.grid, block=shot.block, args=[*shot.first, x, y, np.int32(rows)])
    return y, done.counts or {}


@pytest.mark.amd
@pytest.mark.parametrize(
    ("block", "lines", "packed"),
    [
        (1, 8, {"line", "whole"}),
        (32, 1, {"column", "warp", "line", "whole"}),
        (33, 1, {"column", "warp", "line", "whole"}),
        (40, 2, {"column", "warp", "line", "whole"}),
        (96, 3, {"column", "warp", "line"}),
        (256, 4, {"column", "warp", "line"}),
        (1000, 1, {"column", "warp", "line"}),
        (1024, 1, {"column", "warp", "line"}),
    ],
)
def test_packed_blocks_do_what_the_grid_did(
    block: int, lines: int, packed: set[str], amd: Compiler, tmp_path: Path
) -> None:
    del amd
    paths = sources(tmp_path, block, lines)
    known = {"COLUMNS": COLUMNS, "BLOCK": block, "LINES": lines}
    plain = module(paths[1], "gfx942")
    for target in ("gfx942", "gfx950"):
        together = module(paths[0], target)
        for rows in (1, 2, 7, 100):
            new, old = (shots(path.read_text(), {**known, "rows": rows}) for path in paths)
            assert {name for name, shot in new.items() if shot.first} == packed
            for name in new:
                wanted, got = ran(plain, name, old[name], rows)[0], ran(together, name, new[name], rows)[0]
                assert np.array_equal(got, wanted), (target, name, rows)
                assert (wanted != 77).any()


@pytest.mark.amd
def test_the_pages_say_what_packing_saves(amd: Compiler, tmp_path: Path) -> None:
    del amd
    counted = []
    for block, name in ((32, "column"), (256, "warp"), (32, "whole")):
        paths = sources(tmp_path, block, 1)
        executor: Any = device("isa:gfx950")
        known = {"rows": 1000, "COLUMNS": COLUMNS, "BLOCK": block, "LINES": 1}
        for path in reversed(paths):
            shot = shots(path.read_text(), known)[name]
            counts = ran(executor.build(path, profile=True), name, shot, 1000)[1]
            counted += [counts["waves"], counts["retired"]]
    pages = (narrow_row.__doc__ or "") + (block_shape.__doc__ or "")
    said = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+)\s(?=waves\b|instructions)", pages)]
    assert said == counted


def test_every_layout_gives_each_thread_with_work_one_place() -> None:
    for columns in range(1, 33):
        for x, y in ((32, 1), (33, 1), (64, 2), (96, 1), (40, 5), (256, 1), (1000, 1), (1024, 1)):
            for by_warp in (False, True):
                if (by_warp and y != 1) or x * y > 1024:
                    continue
                into = packing.layout(columns, (x, y), by_warp=by_warp)
                wanted = {
                    (row, a, b) for row in range(into.rows) for b in range(y) for a in range(x)
                    if (a % 32 if by_warp else a) < columns
                }  # fmt: skip
                places = [place(into, thread) for thread in range(into.rows * into.lanes)]
                assert len(places) == len(set(places)) <= into.threads
                assert set(places) == wanted
                assert into.threads % packing.WAVE == 0


def place(into: packing.Packing, thread: int) -> tuple[int, int, int]:
    """Former block, x and y of a thread."""
    lane = thread % into.lanes
    column, rest = lane % into.columns, lane // into.columns
    return (thread // into.lanes, rest * 32 + column, 0) if into.by_warp else (thread // into.lanes, column, rest)
