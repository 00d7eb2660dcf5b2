"""LDS that programs ask for at run time: limits and queries of our HIP runtime, and ported CUDA calls about caches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport.cli import app

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

pytestmark = pytest.mark.amd
PROGRAM = Path(__file__).resolve().parent / "programs/lds"
OWN = 16384  # bytes of the kernel's own array

SAID = """\
block {most}, opt-in {most}, unit {most} {most}, reserved 0
properties 1
own 16384, left {left}
ask 0: hipSuccess
ask 49152: hipSuccess
ask {left}: hipSuccess
ask {over}: hipErrorInvalidValue
ask {most}: hipErrorInvalidValue
ask 232448: hipErrorInvalidValue
ask -1: hipErrorInvalidValue
asked 1024
more than asked for: hipSuccess
more than there is: OutOfMemory
share -1: hipSuccess
share 0: hipSuccess
share 100: hipSuccess
share 101: hipErrorInvalidValue
share -2: hipErrorInvalidValue
no kernel: hipErrorInvalidDeviceFunction
null: hipErrorInvalidDeviceFunction
no attribute: hipErrorInvalidValue
function: left {left}, hipErrorInvalidValue
ran: 2
"""

HINTS = """#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#define CHECK(call) do { if ((call) != 0) { printf("failed: %s\\n", #call); return 1; } } while (0)
__global__ void twice(int* x) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = 2 * s[threadIdx.x ^ 1];
}
int main() {
  int host[64], *x;
  for (int i = 0; i < 64; ++i) host[i] = i;
  unsigned flags = 1;
  cudaSharedMemConfig banks;
  cudaFuncCache cache;
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  CHECK(cudaDeviceGetCacheConfig(&cache));
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK(cudaDeviceGetSharedMemConfig(&banks));
  CHECK(cudaFuncSetCacheConfig(twice, cudaFuncCachePreferL1));
  CHECK(cudaFuncSetSharedMemConfig(twice, cudaSharedMemBankSizeEightByte));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributeMaxDynamicSharedMemorySize, 99 * 1024));
  CHECK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  CHECK(cuCtxGetCacheConfig(&cache));
  CHECK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  CHECK(cuCtxGetSharedMemConfig(&banks));
  CHECK(cuCtxGetFlags(&flags));
  CHECK(cudaMalloc((void**)&x, sizeof host));
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<1, 64, 256>>>(x);
  CHECK(cuCtxSynchronize());
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d %d\\n", host[0], host[63]);
  return 0;
}
"""


def run(program: Path, target: str) -> tuple[int, dict[str, object]]:
    words = [sys.executable, "-m", "hipport", "run", "--json", "--program", str(program), "--device", f"isa:{target}"]
    ran = subprocess.run(words, check=False, capture_output=True, text=True, env=os.environ)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


@pytest.mark.parametrize(("target", "most"), [("gfx942", 65536), ("gfx950", 163840)])
def test_no_more_is_granted_than_the_own_arrays_leave(amd: Compiler, target: str, most: int) -> None:
    del amd
    code, ran = run(PROGRAM, target)
    assert ran["output"] == SAID.format(most=most, left=most - OWN, over=most - OWN + 1)
    assert code == 0


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_checked_calls_about_caches_banks_and_shares_succeed_when_ported(
    amd: Compiler, tmp_path: Path, target: str
) -> None:
    del amd
    (tmp_path / "cuda").mkdir()
    (tmp_path / "cuda/main.cu").write_text(HINTS)
    done = CliRunner().invoke(app, ["port", str(tmp_path / "cuda"), "-o", str(tmp_path / "hip"), "--target", target])
    assert done.exit_code == 0, done.output
    code, ran = run(tmp_path / "hip", target)
    assert ran["output"] == "2 124\n"
    assert code == 0
