"""Blocks that take turns (rule grid-limit), executed: a grid of few blocks gives what the whole grid gave."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport import api
from hipport.config import Config
from hipport.device import Limits, device
from hipport.rewrites import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.toolchain.compiler import Compiler

CASE = Path(rule.__file__).parent / "grid_limit/cases/rows.cu"
ROWS, COLUMNS = 7, 37
Kernel = Any


def module(source: Path, target: str) -> Any:
    executor: Any = device(f"isa:{target}", limits=Limits(threads=1, order="random:5"))
    return executor.build(source)


def sums(kernel: Kernel, grid: int, block: int, first: list[Any]) -> np.ndarray[Any, Any]:
    del block  # the kernel is written for 256 threads
    x = np.arange(ROWS * COLUMNS, dtype=np.float32) % 11
    out = np.full(ROWS, -1, dtype=np.float32)
    kernel(grid=grid, block=256, args=[*first, x, out, np.int64(ROWS), np.int32(COLUMNS)])
    return out


def negatives(kernel: Kernel, grid: int, block: int, first: list[Any]) -> np.ndarray[Any, Any]:
    rows = ROWS * block - 3 if block > 3 else ROWS * block
    x = np.random.default_rng(3).integers(-1, 30, rows * 5).astype(np.float32)
    out = np.full(rows + 5, 77, dtype=np.int64)
    kernel(grid=grid, block=block, args=[*first, x, out, np.int64(rows), np.int64(5)])
    return out


RUNS: dict[str, tuple[Callable[..., np.ndarray[Any, Any]], tuple[int, ...]]] = {
    "row_sums": (sums, (256,)),
    "first_negative<float>": (negatives, (1, 33, 64, 96, 1000, 1024)),
}


@pytest.mark.amd
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_few_blocks_in_turns_do_the_work_of_all(target: str, amd: Compiler, tmp_path: Path) -> None:
    del amd
    paths = {word: tmp_path / f"{word}.hip" for word in ("with", "without")}
    api.port(CASE, paths["with"])
    api.port(CASE, paths["without"], config=Config(ignore=("grid-limit",)))
    looped, whole = (module(paths[word], target) for word in ("with", "without"))
    for name, (run, blocks) in RUNS.items():
        for block in blocks:
            wanted = run(whole[name], ROWS, block, [])
            for grid in (1, 3, ROWS, ROWS + 2):
                got = run(looped[name], grid, block, [np.uint32(ROWS)])
                assert np.array_equal(got, wanted), (name, block, grid)


def test_the_cap_is_below_the_limit_for_every_block() -> None:
    golden = CASE.with_suffix(".hip").read_text(encoding="utf-8")
    caps = [int(number) for number in re.findall(r"< (\d+) \?", golden)]
    assert caps
    assert all(cap * 256 < 2**32 for cap in caps)
    assert "4294967295u / static_cast<unsigned>(threads)" in golden
