"""Launch bounds against launches: files that launch each other's kernels, and what the bound is worth in registers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config
from hipport.frontend import units
from hipport.model import Purpose, SourceFile
from hipport.rewrites import block_bounds, rule
from hipport.targets import target

if TYPE_CHECKING:
    from hipport.model import Finding
    from hipport.toolchain.compiler import Compiler

TILE = Path(rule.__file__).parent / "block_bounds/cases/tile.cu"
BODY = """{
  float v[128];
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}
"""


def found(name: str = "gfx942", **files: str) -> dict[str, list[Finding]]:
    """The rule's findings by file; `k_cu` is the file k.cu."""
    sources = [SourceFile(path.replace("_", "."), code.encode()) for path, code in files.items()]
    read = units.read(sources)
    return {path: list(block_bounds.RULE.find(unit, target(name))) for path, unit in read.items()}


def edits(findings: list[Finding]) -> list[bytes]:
    return [edit.text for finding in findings for edit in finding.edits]


def test_a_kernel_of_a_header_is_told_and_left() -> None:
    told = found(
        k_cuh="template <class T> __global__ void k(T* x) " + BODY,
        a_cu='#include "k.cuh"\nvoid a(float* x) { k<<<1, 128>>>(x); }\n',
    )
    (one,) = told["k.cuh"]
    assert one.purpose is Purpose.PERFORMANCE
    assert not one.edits
    assert "__launch_bounds__(128)" in one.next_step


def test_a_launch_in_another_file_counts() -> None:
    header = "template <class T> __global__ void k(T* x) " + BODY
    one = '#include "k.cuh"\nvoid a(float* x) { k<<<1, 128>>>(x); }\n'
    two = '#include "k.cuh"\nvoid b(float* x, int n) { k<<<1, n>>>(x); }\n'
    assert found(k_cuh=header, a_cu=one, b_cu=two)["k.cuh"] == []
    (told,) = found(k_cuh=header, a_cu=one, b_cu=two.replace("1, n", "1, 384"))["k.cuh"]
    assert "384 threads" in told.message


def test_the_largest_of_several_blocks_is_the_bound() -> None:
    code = "static __global__ void k(float* x) " + BODY + "void a(float* x) { k<<<1, 128>>>(x); k<<<1, 320>>>(x); }\n"
    assert edits(found(k_cu=code)["k.cu"]) == [b" __launch_bounds__(320)"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('extern "C" {\n', "}\n"),
        ("", "void* address() { return (void*)k; }\n"),
        ("", "template __global__ void k<float>(float*);\n"),
        ("", "void b(float* x, int n) { k<<<1, n>>>(x); }\n"),
        ("", 'const char* name = "k";\n'),
    ],
)
def test_a_kernel_that_others_may_launch_gets_no_bound(before: str, after: str) -> None:
    code = before + "__global__ void k(float* x) " + BODY + "void a(float* x) { k<<<1, 128>>>(x); }\n" + after
    assert edits(found(k_cu=code)["k.cu"]) == []


def test_a_block_that_may_be_packed_into_a_larger_one_gets_no_bound() -> None:
    code = "static __global__ void k(float* x) " + BODY + "void a(float* x) { k<<<100, 32>>>(x); }\n"
    (told,) = found(k_cu=code)["k.cu"]
    assert not told.edits
    assert "packed" in told.next_step


def test_a_program_in_one_file_gets_the_bound() -> None:
    code = "__global__ void k(float* x) " + BODY + "int main() { k<<<1, 128>>>(nullptr); }\n"
    assert edits(found(k_cu=code)["k.cu"]) == [b" __launch_bounds__(128)"]


def test_a_gpu_with_more_registers_wants_more_variables() -> None:
    code = "static __global__ void k(float* x) " + BODY + "void a(float* x) { k<<<1, 128>>>(x); }\n"
    assert found("gfx942", k_cu=code)["k.cu"]
    assert found("gfx1100", k_cu=code)["k.cu"] == []


@pytest.mark.amd
def test_the_bound_is_worth_registers(amd: Compiler, tmp_path: Path) -> None:
    del amd
    taken = {}
    for optimize in (False, True):
        out = tmp_path / f"tile_{optimize}.hip"
        api.port(TILE, out, config=Config(optimize=optimize))
        (built,) = api.compile_files([out], "gfx950")
        (kernel,) = built.kernels
        taken[optimize] = (kernel.block_size, kernel.vgpr, kernel.vgpr_spill, kernel.scratch)
    (threads, registers, spilled, scratch), bounded = taken[False], taken[True]
    assert (threads, bounded[0]) == (1024, 256)
    assert registers <= 128 < bounded[1]
    assert spilled > 0 < scratch
    assert bounded[2:] == (0, 0)
