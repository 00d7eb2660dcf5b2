"""The tree of `atomic-tree` without one of its barriers, as FBGEMM #5744 left it: wrong on AMD machine code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport import api
from hipport.config import Config
from hipport.device import FaultError, Limits, device
from hipport.rewrites import atomic_tree

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

CASES = Path(atomic_tree.__file__).parent / "cases"
BLOCK, SEEDS = 256, 8


def outcomes(source: Path, kernel: str) -> set[bytes]:
    """What a kernel computes with its waves in several random orders."""
    found = set()
    built: Any = device("isa:gfx950").build(source)
    for seed in range(SEEDS):
        limits = Limits(threads=1, order=f"random:{seed}")
        module = replace(built, executor=replace(built.executor, limits=limits))
        x = np.arange(2 * BLOCK, dtype=np.int32) % 97
        high, low, out = np.zeros(2, np.int32), np.zeros(1, np.int32), np.zeros(2 * BLOCK, np.float32)
        module[kernel](grid=2, block=BLOCK, args=[x, high, low, out])
        found.add(high.tobytes() + low.tobytes() + out.tobytes())
    return found


@pytest.mark.amd
def test_a_tree_that_lost_its_last_barrier_is_caught(amd: Compiler, tmp_path: Path) -> None:
    del amd
    whole = tmp_path / "whole.hip"
    api.port(CASES / "later.cu", whole, config=Config(optimize=True))
    text = whole.read_text()
    assert text.count("__syncthreads();\n  if (x[i] < 20)") == 1
    mutant = tmp_path / "mutant.hip"
    mutant.write_text(text.replace("  __syncthreads();\n  if (x[i] < 20)", "  if (x[i] < 20)"))
    right = outcomes(whole, "share")
    assert len(right) == 1
    assert outcomes(mutant, "share") != right


@pytest.mark.amd
def test_a_tree_that_lost_the_barrier_between_waves_is_stopped(amd: Compiler, tmp_path: Path) -> None:
    del amd
    whole = tmp_path / "whole.hip"
    api.port(CASES / "later.cu", whole, config=Config(optimize=True))
    text = whole.read_text()
    stored = "if (lane == 0) partial[thread / wave] = value;\n"
    assert text.count(stored + "  __syncthreads();\n") == 1
    mutant = tmp_path / "mutant.hip"
    mutant.write_text(text.replace(stored + "  __syncthreads();\n", stored))
    with pytest.raises(FaultError, match="never initialised"):
        outcomes(mutant, "share")


def test_an_offer_that_is_not_taken_brings_no_shim(tmp_path: Path) -> None:
    plain, joined = tmp_path / "plain.hip", tmp_path / "joined.hip"
    api.port(CASES / "later.cu", plain)
    api.port(CASES / "later.cu", joined, config=Config(optimize=True))
    assert b"hipport" not in plain.read_bytes()
    assert b"HIPPORT_SHIM_BLOCK_TREE" in joined.read_bytes()
