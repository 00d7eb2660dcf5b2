"""Launches by macros, opt-ins that are clamped, barriers without a syntax tree, sizes against each target's LDS."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.frontend import units
from hipport.model import SourceFile
from hipport.rewrites import rule
from hipport.targets import targets

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.toolchain.compiler import Compiler

MACRO = """
#define MY_LAUNCH_KERNEL(KERNEL, GRID, BLOCK, SMEM, STREAM, ...) KERNEL<<<GRID, BLOCK, SMEM, STREAM>>>(__VA_ARGS__)
template <class T, int N> __global__ void rows(T* x, int64_t n) { if (blockIdx.x < n) x[blockIdx.x] = N; }
void run(float* x, int64_t n, cudaStream_t s) {
  MY_LAUNCH_KERNEL((rows<float, 4>), n, 128, 1024, s, x, n);
}
"""


def read(code: str, *, parse: bool = True) -> Unit:
    return units.read([SourceFile("k.cu", code.encode())], parse=parse)["k.cu"]


def found(code: str, names: str, *, parse: bool = True) -> list[Finding]:
    return list(rule.find(read(code, parse=parse), targets(names)))


def test_a_macro_that_launches_is_a_launch() -> None:
    launch = next(shot for shot in read(MACRO, parse=False).launches if shot.macro)
    assert (launch.kernel, launch.block, launch.lds) == ("rows", (128, 1, 1), 1024)
    assert len(launch.arguments) == 2
    told = [f for f in found(MACRO, "gfx942") if f.rule == "grid-limit"]
    assert len(told) == 1
    assert any(b"static_cast<unsigned>(n), " in edit.text for edit in told[0].edits)


def test_barriers_are_judged_by_text_where_there_is_no_tree() -> None:
    code = """
    __global__ void k(float* x, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      int j = i + 1;
      if (j >= n) return;
      x[j] = 1;
      __syncthreads();
    }
    __global__ void same(float* x, int n) {
      __shared__ int many;
      many = x[threadIdx.x];
      if (blockIdx.x >= n || many) return;
      __syncthreads();
    }
    """
    told = found(code, "gfx942", parse=False)
    assert [(f.rule, f.edits) for f in told] == [("barrier-divergence", ())]


@pytest.mark.parametrize(
    ("size", "without"),
    [(16384, ()), (20000, ("gfx942",)), (40961, ("gfx942", "gfx950")), (81921, ("gfx1250", "gfx942", "gfx950"))],
)
def test_arrays_are_held_against_each_target(size: int, without: tuple[str, ...]) -> None:
    code = f"__global__ void k(float* x) {{ __shared__ float s[{size}]; s[0] = x[0]; x[1] = s[0]; }}"
    told = found(code, "gfx942,gfx950,gfx1250")
    assert tuple(sorted(name for f in told for name in f.targets)) == without


def test_the_tile_that_fits_is_named_for_each_size_of_lds() -> None:
    code = """
    #define TILE 160
    __global__ void k(float* x) {
      __shared__ float a[TILE][TILE], b[TILE][TILE];
      a[0][0] = b[0][0] = x[0]; x[1] = a[0][0]; }
    """
    (told,) = found(code, "gfx942,gfx950")
    assert "204800 bytes" in told.message
    assert "`TILE` is 160; at most 64 in 64 KiB, 128 in 160 KiB" in told.next_step


OPT_IN = """
#include <cstdio>
#define CHECK(call) if (cudaError_t e = call) { printf("%s\\n", cudaGetErrorName(e)); return 1; }
__global__ void k(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = 2 * x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  float* x;
  CHECK(cudaMallocManaged(&x, 64 * sizeof(float)));
  for (int i = 0; i < 64; ++i) x[i] = i;
  CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  k<<<1, 64, 64 * sizeof(float)>>>(x);
  CHECK(cudaDeviceSynchronize());
  printf("%g %g\\n", x[0], x[63]);
  return 0;
}
"""


@pytest.mark.amd
def test_an_opt_in_beyond_the_lds_is_clamped(amd: Compiler, tmp_path: Path) -> None:
    del amd
    (tmp_path / "in").mkdir()
    (tmp_path / "in/main.cu").write_text(OPT_IN)
    api.port(tmp_path / "in/main.cu", tmp_path / "main.hip")
    folder = tmp_path / "program"
    folder.mkdir()
    text = (tmp_path / "main.hip").read_text()
    assert "hipport::lds_fit(k, 227 * 1024)" in text
    (folder / "main.hip").write_text(
        text.replace("return 0;", 'printf("%d\\n", hipport::lds_fit(k, 227 * 1024)); return 0;')
    )
    command = [sys.executable, "-m", "hipport", "run", "--program", str(folder), "--device", "isa:gfx942"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ)
    assert "126 0\n65536\n" in ran.stdout, ran.stdout + ran.stderr
    assert ran.returncode == 0


FILLED = """
__global__ void each(float* x) { x[blockIdx.x] = 1; }
void run(float* x, const float* from, int items, Sized* sized) {
  %s
  for (int i = 0; i < items; i++) table[i] = from[i];
  each<<<items, 256>>>(x);
}
"""


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("float table[MOST];", 0),
        ("float table[512];", 0),
        ("float* table = new float[items];", 1),
        ("float table[n];", 1),
    ],
)
def test_a_size_that_fills_an_array_of_constant_length_is_held_by_it(table: str, told: int) -> None:
    assert [f.rule for f in found(FILLED % table, "gfx942")] == ["grid-limit"] * told


@pytest.mark.parametrize(
    ("bytes_of", "told"),
    [
        ("const unsigned int bytes = sizeof(float) * systems * length;", 0),
        ("int bytes = systems * length * sizeof(float);", 0),
        ("size_t bytes = sizeof(float) * systems * length;", 1),
        ("unsigned bytes = sizeof(float) * systems;", 1),
    ],
)
def test_threads_whose_data_is_counted_in_32_bits_are_held(bytes_of: str, told: int) -> None:
    code = f"""
    __global__ void each(float* x) {{ x[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = 1; }}
    void run(int systems, int length) {{
      float* x; {bytes_of}
      cudaMalloc(&x, bytes);
      size_t grid = systems;
      each<<<grid, length>>>(x);
    }}
    """
    assert [f.rule for f in found(code, "gfx942")] == ["grid-limit"] * told


def test_a_member_is_named_as_it_stands() -> None:
    code = """
    __global__ void each(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
    void run(float* x, const Sized* sized) { const size_t n = sized->size; each<<<n / 256, 256>>>(x); }
    """
    told = next(f for f in found(code, "gfx942") if f.rule == "grid-limit")
    assert "`sized.size` without a cap" in told.message


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("__shfl_sync(m, v, 0)", "reads lane k of the 64-lane wave"),
        ("__shfl_sync(m, v, 0, warpSize)", "reads lane k of the 64-lane wave"),
        ("__shfl_sync(m, v, 0, 8)", "takes a 64-bit mask: `m` does not compile"),
        ("__shfl_down_sync(m, v, 1, blockDim.x)", "takes a 64-bit mask: `m` does not compile"),
    ],
)
def test_a_shuffle_of_a_width_of_its_own_wants_its_mask_mended_only(call: str, said: str) -> None:
    code = f"__global__ void k(int* x, unsigned m) {{ int v = x[threadIdx.x]; x[threadIdx.x] = {call}; }}"
    told = next(f for f in found(code, "gfx942") if f.rule == "shuffle-width")
    assert said in told.message
