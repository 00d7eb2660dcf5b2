"""The instructions of butterflies with and without `lane-xor`, on five GPUs: the numbers of its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config
from hipport.rewrites import lane_xor

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SOURCE = """
__global__ void sums(float* x) {
  float v = x[threadIdx.x];
#pragma unroll
  for (int m = 16; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m);
  x[threadIdx.x] = v;
}
"""
SAID = {"gfx942": r"to (\d+) instructions\s+where it was (\d+) on gfx942", "gfx1100": r"to (\d+) from (\d+) on gfx1100"}


def instructions(source: Path, target: str, amd: Compiler) -> list[str]:
    done = amd.compile(source, target, kind="asm")
    assert done.ok, done.log
    assert done.output is not None
    text = done.output.read_text()
    kernel = text[text.index("\n_Z4sumsPf:") : text.index("s_endpgm") + 8]
    return re.findall(r"^\t([a-z]+_\w+)", kernel, re.MULTILINE)


@pytest.mark.amd
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_no_step_of_a_butterfly_goes_through_the_crossbar(target: str, amd: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "sums.cu"
    source.write_text(SOURCE)
    plain, between = tmp_path / "plain.hip", tmp_path / "between.hip"
    api.port(source, plain, config=Config())
    api.port(source, between, config=Config(optimize=True))
    before, after = instructions(plain, target, amd), instructions(between, target, amd)
    assert before.count("ds_bpermute_b32") == 5
    assert "ds_bpermute_b32" not in after
    assert sum(name.startswith("ds_") for name in after) == (0 if target.startswith("gfx1") else 1)
    if target in SAID:
        found = re.search(SAID[target], lane_xor.__doc__ or "")
        assert found
        assert (len(after), len(before)) == (int(found[1]), int(found[2]))
