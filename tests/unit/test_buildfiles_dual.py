"""One source for both vendors: the vendor header, conditions, guarded rewrites, and an unchanged CUDA build."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config, Stage, Style
from hipport.porting import vendor

if TYPE_CHECKING:
    from pathlib import Path

DUAL = Config(style=Style.DUAL, jobs=1)
LEXICAL = Config(style=Style.DUAL, jobs=1, only=(Stage.RENAME, Stage.BUILD))
KERNEL = """\
#include <cuda_runtime.h>
#ifdef __CUDACC__
#define HD __host__ __device__
#endif
__constant__ float bias[4];
__global__ void k(float* x) {
  float v = __shfl_sync(0xffffffffu, x[threadIdx.x], 0);  // warp
  x[threadIdx.x] = v + bias[0];
}
cudaError_t run(float* x, const float* b, cudaStream_t s) {
  cudaMemcpyToSymbol(bias, b, sizeof(bias));
  k<<<1, 64, 0, s>>>(x);
  return cudaGetLastError();
}
"""


def tree(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "src/k.cu").write_text(KERNEL)
    (folder / "README.md").write_text("k\n")
    return folder


def test_sources_keep_their_names_and_their_cuda(tmp_path: Path) -> None:
    api.port(tree(tmp_path / "a"), tmp_path / "b", config=LEXICAL)
    text = (tmp_path / "b/src/k.cu").read_text()
    header = (tmp_path / "b/hipport_vendor.h").read_text()
    assert text.startswith(
        '#include "../hipport_vendor.h"\n#if defined(__HIP_PLATFORM_AMD__)\n#include <hip/hip_runtime.h>'
    )
    assert "cudaError_t run(float* x, const float* b, cudaStream_t s) {" in text
    assert "#define cudaStream_t hipStream_t\n" in header
    assert "HIP_SYMBOL(bias)" in text
    used = {line.split()[1] for line in header.splitlines() if line.startswith("#define")}
    assert used == {"cudaError_t", "cudaStream_t", "cudaGetLastError"}


def test_conditions_ask_for_the_vendor(tmp_path: Path) -> None:
    api.port(tree(tmp_path / "a"), tmp_path / "b", config=LEXICAL)
    text = (tmp_path / "b/src/k.cu").read_text()
    line = next(line for line in text.splitlines() if "__CUDACC__" in line)
    assert line == (
        "#if (defined(__HIP_PLATFORM_AMD__) && (defined(__HIPCC__))) || "
        "(!defined(__HIP_PLATFORM_AMD__) && (defined(__CUDACC__)))"
    )
    assert text.count("#define HD") == 1


def test_a_second_run_changes_nothing_and_hand_edits_stay(tmp_path: Path) -> None:
    api.port(tree(tmp_path / "a"), tmp_path / "b", config=LEXICAL)
    header = tmp_path / "b/hipport_vendor.h"
    edited = header.read_text().replace("cudaStream_t hipStream_t", "cudaStream_t my_stream_t") + "// mine\n"
    header.write_text(edited)
    api.port(tmp_path / "a", tmp_path / "b", config=LEXICAL)
    assert header.read_text() == edited
    api.port(tmp_path / "b", tmp_path / "c", config=LEXICAL)
    assert (tmp_path / "c/src/k.cu").read_bytes() == (tmp_path / "b/src/k.cu").read_bytes()
    assert (tmp_path / "c/hipport_vendor.h").read_text() == edited


def test_a_header_that_is_not_ours_stays() -> None:
    fresh = "#pragma once\n// hipport: begin\n#define a b\n// hipport: end\n"
    assert vendor.merged("// someone's\n", fresh) == "// someone's\n"


def test_names_that_are_gone_leave_the_header_and_own_definitions_win() -> None:
    fresh = "// hipport: begin\n#define cudaA hipA\n#define cudaB hipB\n// hipport: end\n"
    there = "#define cudaB mine\n// hipport: begin\n#define cudaA other\n#define cudaZ hipZ\n// hipport: end\n// end\n"
    assert vendor.merged(there, fresh) == (
        "#define cudaB mine\n// hipport: begin\n#define cudaA other\n// hipport: end\n// end\n"
    )


def test_a_patch_brings_the_header(tmp_path: Path) -> None:
    from hipport.porting.patch import generated_patch

    patch = generated_patch("hipport_vendor.h", b"", b"a\nb\n")
    (tmp_path / "p").mkdir()
    run = subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path / "p", check=False, capture_output=True)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "p/hipport_vendor.h").read_bytes() == b"a\nb\n"


def test_nvcc_makes_the_same_ptx(tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc on this machine")
    tree(tmp_path / "a")
    api.port(tmp_path / "a", tmp_path / "b", config=DUAL)
    assert "__HIP_PLATFORM_AMD__" in (tmp_path / "b/src/k.cu").read_text()
    made = []
    for name in ("a", "b"):
        (tmp_path / name).rename(tmp_path / "same")  # nvcc's names hold a digest of the path
        words = [nvcc, "-ptx", "-arch=sm_90", "-o", str(tmp_path / "k.ptx"), "src/k.cu"]
        subprocess.run(words, cwd=tmp_path / "same", check=True, capture_output=True)
        made.append((tmp_path / "k.ptx").read_text())
        (tmp_path / "same").rename(tmp_path / name)
    assert made[0] == made[1]


@pytest.mark.amd
@pytest.mark.slow
def test_clang_compiles_it_for_amd(amd, tmp_path: Path) -> None:
    tree(tmp_path / "a")
    api.port(tmp_path / "a", tmp_path / "b", config=DUAL)
    built = amd.compile(tmp_path / "b/src/k.cu", "gfx950", output=tmp_path / "k.co")
    assert built.ok, built.log
