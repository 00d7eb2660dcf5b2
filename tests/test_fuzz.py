"""Random kernels, ported and compared with what they compute as they are; `python -m tests.fuzz` runs more seeds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hipport.config import Config
from tests.fuzz import runner
from tests.fuzz.kernels import Kernel, kernel

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

SEEDS = {"8": ("gfx950", "optimize"), "9": ("gfx942", "native")}


def test_a_seed_gives_the_same_kernel_every_time() -> None:
    assert kernel("5/1", "k").text == kernel("5/1", "k").text
    assert len({kernel(f"5/{at}", "k").text for at in range(40)}) == 40


def test_caps_of_grids_are_lowered_and_nothing_else_is() -> None:
    text = "k<<<static_cast<unsigned>((n) < 16777215 ? (n) : 16777215), 256>>>"
    text += "(1664525u, 4294967295u / static_cast<unsigned>(t))"
    assert runner.few_blocks(text) == "k<<<static_cast<unsigned>((n) < 2 ? (n) : 2), 256>>>(1664525u, 2)"


@pytest.mark.amd
@pytest.mark.parametrize("seed", SEEDS)
def test_ports_of_random_kernels_compute_what_the_kernels_compute(seed: str, amd: Compiler) -> None:
    del amd
    target, mode = SEEDS[seed]
    kernels = [kernel(f"{seed}/{at}", f"k{at}") for at in range(6)]
    out = runner.compare(kernels, seed, targets=[target], modes=[mode], orders=["random:7"])
    assert not out.rejected
    assert out.compared == len(kernels)
    assert not out.problems, [(p.kernel, p.mode, p.what) for p in out.problems]


@pytest.mark.amd
def test_a_port_by_names_alone_is_told_apart(amd: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    del amd
    monkeypatch.setitem(runner._CONFIGS, "names", Config(ignore=("vote-width",)))
    vote = Kernel(
        name="k0",
        seed="",
        before="",
        head="__global__ void k0(const int* in, int* out, int* acc, int* bag, int n, int m)",
        body=("const int i = threadIdx.x;", "out[i] = __any_sync(0xffffffff, i < 32 && in[i] >= 0);"),
        host="static void run_k0() {\n  Buffers b(65);\n  k0<<<1, 64>>>(b.in, b.out, b.acc, b.bag, 64, 1);\n"
        '  b.save("k0.bin");\n}\n',
        out=64,
    )
    out = runner.compare([vote], "0", targets=["gfx950"], modes=["names", "default"], orders=["in"])
    assert [problem.mode for problem in out.problems] == ["names"]
