"""Where the LDS of a launch starts: clang for AMD goes by the declared type, nvcc aligns it to 16 bytes always."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport.toolchain import nvcc
from hipport.toolchain.compiler import Kind

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

KERNELS = """
__global__ void bytes(unsigned* at) {
  extern __shared__ char a[];
  __shared__ char own[3];
  own[threadIdx.x % 3] = at[2];
  at[0] = (unsigned)(size_t)a;
  at[1] = own[at[3] % 3];
}
__global__ void words(unsigned* at) {
  extern __shared__ float b[];
  __shared__ int own;
  if (threadIdx.x == at[3]) own = at[2];
  __syncthreads();
  at[0] = (unsigned)(size_t)b;
  at[1] = own;
}
__global__ void asked(unsigned* at) {
  extern __shared__ __align__(16) float c[];
  __shared__ int own;
  if (threadIdx.x == at[3]) own = at[2];
  __syncthreads();
  at[0] = (unsigned)(size_t)c;
  at[1] = own;
}
__global__ void alone(unsigned* at) {
  extern __shared__ char a[];
  extern __shared__ double d[];
  at[0] = (unsigned)(size_t)a;
  at[1] = (unsigned)(size_t)d;
}
"""


def test_amds_compiler_puts_it_right_behind_the_kernels_own(amd: Compiler, tmp_path: Path) -> None:
    """The static LDS of a kernel ends where the dynamic one starts, at the alignment of its type."""
    source = tmp_path / "k.hip"
    source.write_text("#include <hip/hip_runtime.h>\n" + KERNELS)
    built = amd.compile(source, "gfx942", output=tmp_path / "k.co")
    assert built.ok, built.log
    assert {k.demangled.partition("(")[0]: k.lds for k in built.kernels} == {
        "bytes": 3,
        "words": 4,
        "asked": 16,
        "alone": 0,
    }
    out = tmp_path / "k.ll"
    assert amd.compile(source, "gfx942", kind=Kind.LLVM, output=out).ok
    aligned = re.findall(
        r"^@(\w+) = external [^\n]*addrspace\(3\) global [^\n]*align (\d+)", out.read_text(), re.MULTILINE
    )
    assert dict(aligned) == {"a": "1", "b": "4", "c": "16", "d": "8"}


def test_nvcc_aligns_it_to_16_bytes(tmp_path: Path) -> None:
    found = nvcc.find()
    if found is None:
        pytest.skip("nvcc is not here")
    source, out = tmp_path / "k.cu", tmp_path / "k.ptx"
    source.write_text(KERNELS)
    words = [found.program, "-arch=sm_90", "-ptx", str(source), "-o", str(out)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    declared = re.findall(r"\.extern \.shared \.align (\d+) \.b8 (\w+)\[\]", out.read_text())
    assert {name for _, name in declared} == {"a", "b", "c", "d"}
    assert {align for align, _ in declared} == {"16"}
