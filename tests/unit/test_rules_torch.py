"""PyTorch by version: before 2.11 a ROCm build has the names that masquerade as CUDA, since then CUDA's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config, Stage, Style, merged
from hipport.errors import UsageError
from hipport.model import Safety, SourceFile
from hipport.renames.match import find
from hipport.renames.older import torch_rules
from hipport.renames.table import load

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """\
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDACachingAllocator.h>
using namespace at::cuda;
using c10::cuda::CUDAStream;
__global__ void k(float* x) { x[threadIdx.x] *= 2.f; }
void run(at::Tensor x) {
  const c10::cuda::CUDAGuard guard(x.device());
  const at::cuda::OptionalCUDAGuard other(device_of(x));
  cudaStream_t plain = getCurrentCUDAStream().stream();
  at::cuda::CUDAStream pooled = at::cuda::getStreamFromPool(true, x.get_device());
  ::c10::cuda::setCurrentCUDAStream(pooled);
  c10::cuda::CUDACachingAllocator::recordStream(x.storage().data_ptr(), pooled);
  c10::cuda::CUDACachingAllocator::emptyCache();
  auto blas = at::cuda::getCurrentCUDABlasHandle();
  at::cuda::CUDAEvent event;
  torch::cuda::synchronize();
  k<<<1, 64, 0, plain>>>(x.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  AT_CUDA_CHECK(cudaGetLastError());
}
"""
OLDER = """\
#include <ATen/hip/HIPContext.h>
#include <ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h>
#include <ATen/hip/impl/HIPCachingAllocatorMasqueradingAsCUDA.h>
using namespace at::cuda;
using c10::hip::HIPStreamMasqueradingAsCUDA;
__global__ void k(float* x) { x[threadIdx.x] *= 2.f; }
void run(at::Tensor x) {
  const c10::hip::HIPGuardMasqueradingAsCUDA guard(x.device());
  const at::hip::OptionalHIPGuardMasqueradingAsCUDA other(device_of(x));
  hipStream_t plain = getCurrentHIPStreamMasqueradingAsCUDA().stream();
  at::hip::HIPStreamMasqueradingAsCUDA pooled = at::hip::getStreamFromPoolMasqueradingAsCUDA(true, x.get_device());
  ::c10::hip::setCurrentHIPStreamMasqueradingAsCUDA(pooled);
  c10::hip::HIPCachingAllocatorMasqueradingAsCUDA::recordStreamMasqueradingAsCUDA(x.storage().data_ptr(), pooled);
  c10::hip::HIPCachingAllocator::emptyCache();
  auto blas = at::cuda::getCurrentCUDABlasHandle();
  at::cuda::CUDAEvent event;
  torch::cuda::synchronize();
  k<<<1, 64, 0, plain>>>(x.data_ptr<float>());
  C10_HIP_KERNEL_LAUNCH_CHECK();
  AT_CUDA_CHECK(hipGetLastError());
}
"""
NEWER = (
    KERNEL.replace("ATen/cuda/CUDAC", "ATen/hip/HIPC")
    .replace("c10/cuda/CUDA", "c10/hip/HIP")
    .replace("cudaStream_t", "hipStream_t")
    .replace("cudaGetLast", "hipGetLast")
)
EXTENSION = "from torch.utils.cpp_extension import CUDAExtension\n"


def ported(folder: Path, text: str, torch: str, style: Style = Style.HIP, more: str = "") -> str:
    """What becomes of k.cu."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    (source / "k.cu").write_text(text)
    if more:
        (source / "setup.py").write_text(more)
    out = folder / "out"
    config = Config(torch=torch, style=style, only=(Stage.RENAME,), jobs=1)
    api.port(source, out, config=config)
    return next(out.glob("k.*")).read_text()


@pytest.mark.parametrize(
    ("torch", "expected"), [("1.13", OLDER), ("2.1.2", OLDER), ("2.10", OLDER), ("2.11.0", NEWER), ("2.13", NEWER)]
)
def test_the_version_chooses_the_names(torch: str, expected: str, tmp_path: Path) -> None:
    assert ported(tmp_path, KERNEL, torch) == "#include <hip/hip_runtime.h>\n" + expected


def test_code_for_both_vendors_of_an_extension_keeps_what_torch_renames_itself(tmp_path: Path) -> None:
    text = ported(tmp_path, KERNEL, "2.5", Style.DUAL, EXTENSION)
    assert "Masquerading" not in text
    assert "Masquerading" not in (tmp_path / "out/hipport_vendor.h").read_text()


def test_code_for_both_vendors_without_torchs_hipify_has_both_names(tmp_path: Path) -> None:
    text = ported(tmp_path, KERNEL, "2.5", Style.DUAL)
    assert "const c10::hip::HIPGuardMasqueradingAsCUDA guard" in text
    assert "const c10::cuda::CUDAGuard guard" in text
    assert "namespace cuda" not in (tmp_path / "out/hipport_vendor.h").read_text()


def test_a_name_of_the_repositorys_own_stays(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "own.cuh").write_text("#pragma once\ninline cudaStream_t getCurrentCUDAStream() { return nullptr; }\n")
    text = '#include "own.cuh"\ncudaStream_t both() { return getCurrentCUDAStream(); }\n'
    assert "return getCurrentCUDAStream();" in ported(tmp_path, text, "2.5")


def test_what_is_written_for_an_older_torch_is_not_renamed_again() -> None:
    older = load("7.2", (), "2.10")
    data = OLDER.encode()
    found = find(SourceFile("k.cu", data), older, Config())
    assert {f.span.start for f in found if f.edits} <= {0}
    assert b"c10::hip::c10_hip_check_implementation" not in older.qualified
    assert load().qualified[b"c10::hip::c10_hip_check_implementation"].hip


def test_no_rule_for_an_older_torch_says_what_the_newest_says() -> None:
    rules = torch_rules("2.0")
    assert len({(r.kind == "include", r.cuda) for r in rules}) == len(rules) > 80
    newest = load()
    for rule in rules:
        for table in (newest.names, newest.includes, newest.namespaces, newest.qualified):
            known = table[rule.cuda.encode()].hip if rule.cuda.encode() in table else ""
            assert known != rule.hip, rule.cuda
        assert rule.family == "torch"
        assert rule.safety is Safety.SAFE
    assert torch_rules("2.11") == torch_rules("3.0") == ()


@pytest.mark.parametrize("text", ["banana", "2", "2.", "2.x", "", "2.10rc1"])
def test_a_version_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="version of PyTorch"):
        merged(Config(), {"torch": text})


def test_the_version_as_torch_itself_says_it() -> None:
    assert merged(Config(), {"torch": "2.10.0+rocm7.0"}).torch == "2.10.0"
    with pytest.raises(UsageError, match="no PyTorch version"):
        load("7.2", (), "seven")
