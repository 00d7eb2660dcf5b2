"""The tile that fits each target, and the bytes that cost a block: said, counted again, and tried with the compiler."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from hipport.frontend import libclang, units
from hipport.model import Finding, SourceFile
from hipport.perfmodel.occupancy import occupancy
from hipport.rewrites import rule
from hipport.rewrites.lds_budget.fit import largest
from hipport.targets import target, targets

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

TILES = """#define TILE {tile}
__global__ void product(float* x) {{
  __shared__ float a[TILE][TILE + 1], b[TILE][TILE + 1];
  a[threadIdx.y % TILE][threadIdx.x % TILE] = x[threadIdx.x];
  b[threadIdx.y % TILE][threadIdx.x % TILE] = x[threadIdx.y];
  __syncthreads();
  x[threadIdx.x] = a[threadIdx.x % TILE][0] + b[0][threadIdx.x % TILE];
}}
void run(float* x) {{ product<<<1, 64>>>(x); }}
"""
KERNEL = "__global__ void k(float* x) { extern __shared__ float s[]; s[threadIdx.x] = x[0]; x[1] = s[0]; }\n"


def found(code: str, names: str, wanted: str = "lds-budget") -> list[Finding]:
    read = units.read([SourceFile("k.cu", code.encode())])
    return [f for unit in read.values() for f in rule.find(unit, targets(names)) if f.rule == wanted]


def said(code: str, names: str = "gfx942,gfx950,gfx1250") -> str:
    (one,) = found(code, names)
    return one.next_step


def run(body: str) -> str:
    return f"{KERNEL}void run(float* x, int n) {{\n{body}\n}}\n"


@pytest.mark.amd
@pytest.mark.parametrize("tile", [96, 160, 224])
def test_a_tile_of_two_dimensions_is_the_largest_that_compiles(amd: Compiler, tmp_path: Path, tile: int) -> None:
    step = said(TILES.format(tile=tile))
    fitting = {int(kib): int(n) for n, kib in re.findall(r"(\d+) in (\d+) KiB", step)}
    assert fitting
    for name in ("gfx942", "gfx950"):
        most = fitting.get(target(name).lds_bytes >> 10, tile)
        source = tmp_path / f"{name}.hip"
        for value, fits in ((most, True), (most + 32, False)):
            if value <= tile:
                source.write_text("#include <hip/hip_runtime.h>\n" + TILES.format(tile=value))
                built = amd.compile(source, name, output=tmp_path / "k.co")
                assert built.ok == fits, (name, value, built.log)
                assert built.ok or "local memory (" in built.log


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        (
            "constexpr int kT = 160;\n k<<<1, 64, 2 * kT * (kT + 1) * sizeof(float)>>>(x);",
            "`kT` is 160; at most 64 in 64 KiB, 128 in 160 KiB",
        ),
        (
            "constexpr int kT = 160;\n size_t bytes = kT * kT * sizeof(float);\n k<<<1, 64, bytes>>>(x);",
            "`kT` is 160; at most 128 in 64 KiB",
        ),
        (
            "constexpr int kM = 96, kStages = 3;\n k<<<1, 64, kStages * kM * kM * 4>>>(x);",
            "`kStages` (now 3) at most 1 in 64 KiB; or `kM` (now 96) at most 64 in 64 KiB",
        ),
        (
            "constexpr int kT = 200;\n cudaLaunchKernel((void*)k, 1, 64, args, kT * kT * 4, 0);",
            "`kT` is 200; at most 128 in 64 KiB",
        ),
    ],
)
def test_the_lds_of_a_launch_names_the_constants_it_follows(body: str, advice: str) -> None:
    assert advice + ", by hipDeviceAttribute" in said(run(body))


def test_the_parameter_of_a_template_is_a_constant_like_others() -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    code = """template <class T, int N = 128> __global__ void k(T* x) {
  __shared__ T a[N][N + 1];
  __shared__ int b[N];
  a[0][threadIdx.x] = x[0];
  b[threadIdx.x] = 1;
  x[1] = a[b[0]][0];
}
void run(double* x) { k<<<1, 64>>>(x); }
"""
    step = said(code)
    assert "`N` is 128; at most 64 in 64 KiB, by" in step
    assert "gfx950 (163840)" in step


def test_structures_count_whole() -> None:
    code = """constexpr int kCells = 2048;
struct Cell { double a[8]; int b; };
__global__ void k(double* x) {
  __shared__ Cell all[kCells];
  all[threadIdx.x].b = 1;
  x[0] = all[0].a[0];
}
"""
    assert "`kCells` is 2048; at most 896 in 64 KiB, by" in said(code)  # 64 KiB / 72 bytes are 910: a multiple of 32


@pytest.mark.parametrize("value", [3, 33, 100, 768, 3001, 4096])
@pytest.mark.parametrize("limit", [40, 4000, 65536])
def test_the_largest_is_that_of_a_search_through_all(value: int, limit: int) -> None:
    step = min(value & -value, 32)
    fitting = [n for n in range(step, value + 1, step) if n * 20 <= limit]
    assert largest(lambda n: n * 20, value, limit) == max(fitting, default=0)


@pytest.mark.parametrize("name", ["gfx942", "gfx950"])
@pytest.mark.parametrize("size", [22016, 23000, 33280, 34000, 41000, 54784, 65536, 82000])
@pytest.mark.parametrize("static", [0, 2048])
def test_the_bytes_that_cost_a_block_are_those_that_bring_it_back(name: str, size: int, static: int) -> None:
    gpu = target(name)
    if size > gpu.lds_dynamic_bytes:
        pytest.skip("more than a block may have")
    own = f"__shared__ char own[{static}]; own[threadIdx.x] = x[0]; x[2] = own[0];" if static else ""
    code = (
        KERNEL.replace("s[threadIdx.x]", own + " s[threadIdx.x]")
        + f"void run(float* x) {{ k<<<9, 128, {size - static}>>>(x); }}"
    )
    offers = found(code, name, "lds-occupancy")
    blocks = occupancy(gpu, vgprs=1, lds_bytes=size, block_size=128).blocks
    least = next(
        less for less in range(size) if occupancy(gpu, vgprs=1, lds_bytes=size - less, block_size=128).blocks > blocks
    )
    worth = least <= size // max(8, 2 * blocks)
    assert [bool(offers)] == [worth]
    if offers:
        assert (
            f"to {blocks} blocks of a compute unit on {name}: {least:,} less let {blocks + 1} in" in offers[0].message
        )
