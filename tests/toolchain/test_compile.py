"""Real compilations for AMD GPUs: what compiles, what it takes, and how a failure is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport import api
from hipport.cli import app
from hipport.errors import UsageError
from hipport.toolchain.codeobject import code_objects
from hipport.toolchain.compiler import Kind, Level
from hipport.toolchain.diagnostics import kernel_remarks
from hipport.toolchain.resources import kernels_of
from tests.toolchain.kernels import BASIC, DYNAMIC_LDS, LIBRARIES, TARGETS, hundred

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

pytestmark = pytest.mark.amd

BIG_LDS = """#include <hip/hip_runtime.h>
template <int N> __device__ float reversed(const float* p) {
  __shared__ float tile[N];
  for (int i = threadIdx.x; i < N; i += blockDim.x) tile[i] = p[i];
  __syncthreads();
  return tile[N - 1 - threadIdx.x];
}
__global__ void staged(float* p) {
  __shared__ float stage[20480];
  for (int i = threadIdx.x; i < 20480; i += blockDim.x) stage[i] = p[i];
  __syncthreads();
  p[threadIdx.x] = stage[20479 - threadIdx.x] + reversed<64>(p);
}
__global__ void templated(float* p) { p[threadIdx.x] = reversed<20480>(p); }
__global__ void fits(float* p) { p[threadIdx.x] = reversed<128>(p); }
"""


def write(folder: Path, text: str, name: str = "k.hip") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BASIC)
def test_kernels_that_need_only_the_runtime_compile_for_every_target(amd: Compiler, tmp_path: Path, name: str) -> None:
    source = write(tmp_path, BASIC[name])
    for target in TARGETS:
        built = amd.compile(source, target, output=tmp_path / f"{target}.co")
        assert built.ok, built.log
        assert built.output is not None
        (kernel,) = built.kernels
        assert kernel.target == target
        assert kernel.wave == (32 if target.startswith("gfx1") else 64)
        assert kernel.occupancy is not None
        (device,) = code_objects(built.output.read_bytes())
        assert device.target == target


@pytest.mark.parametrize("name", LIBRARIES)
def test_kernels_of_the_rocm_libraries_compile(rocm_libraries: Compiler, tmp_path: Path, name: str) -> None:
    source = write(tmp_path, LIBRARIES[name])
    for target in TARGETS if name in {"half", "bf16"} else ("gfx950", "gfx1201"):
        built = rocm_libraries.compile(source, target, output=tmp_path / f"{target}.co")
        assert built.ok, built.log
        assert built.kernels


@pytest.mark.parametrize("target", ["gfx950", "gfx1100"])
def test_the_note_says_what_the_compilers_remarks_say(amd: Compiler, tmp_path: Path, target: str) -> None:
    source = write(tmp_path, hundred(cdna=target == "gfx950"))
    built = amd.compile(source, target, output=tmp_path / "k.co")
    assert built.ok, built.log
    remarks = {remark.name: remark for remark in kernel_remarks(built.log)}
    assert len(built.kernels) == len(remarks) == 100
    for kernel in built.kernels:
        told = remarks[kernel.name].values
        registers = (told["VGPRs"], told.get("AGPRs", 0), told["TotalSGPRs"])
        assert (kernel.vgpr, kernel.agpr, kernel.sgpr) == registers, kernel
        assert (kernel.vgpr_spill, kernel.sgpr_spill) == (told["VGPRs Spill"], told["SGPRs Spill"]), kernel
        assert (kernel.lds, kernel.scratch) == (told["LDS Size"], told["ScratchSize"]), kernel
        assert kernel.compiler_occupancy == told["Occupancy"]
        assert kernel.line == remarks[kernel.name].line > 0
    assert any(k.vgpr_spill for k in built.kernels)
    assert any(k.scratch for k in built.kernels)
    assert any(k.lds for k in built.kernels)
    assert any(k.agpr for k in built.kernels) == (target == "gfx950")


def test_an_object_holds_host_code_and_each_targets_kernels(amd: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, DYNAMIC_LDS)
    built = amd.compile(source, ("gfx942", "gfx1100"), kind=Kind.OBJECT, output=tmp_path / "k.o")
    assert built.ok, built.log
    assert {(k.target, k.wave) for k in built.kernels} == {("gfx942", 64), ("gfx1100", 32)}
    assert built.output is not None
    again = kernels_of(built.output.read_bytes())
    assert {k.name for k in again} == {k.name for k in built.kernels}


def test_assembly_and_ir_are_text(amd: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, DYNAMIC_LDS)
    asm = amd.compile(source, "gfx950", kind="asm", output=tmp_path / "k.s")
    ir = amd.compile(source, "gfx950", kind="llvm", output=tmp_path / "k.ll")
    assert asm.output is not None
    assert ir.output is not None
    assert "s_endpgm" in asm.output.read_text(encoding="utf-8")
    assert "amdgpu_kernel" in ir.output.read_text(encoding="utf-8")


def test_static_lds_over_the_budget_names_the_arrays_and_their_lines(amd: Compiler, tmp_path: Path) -> None:
    del amd
    source = write(tmp_path, BIG_LDS)
    small, large = api.compile_files([source], "gfx942,gfx950")
    assert large.ok, large.log
    assert {k.lds for k in large.kernels} == {20480 * 4 + 64 * 4, 20480 * 4, 128 * 4}
    assert not small.ok
    found = [d for d in small.diagnostics if d.flag == "lds-budget"]
    assert [(d.file, d.line) for d in found] == [(str(source), 9), (str(source), 3)]
    assert "`stage` is too large" in found[0].message
    assert "`stage` 81920 (line 9), `tile` 256 (line 3)" in found[0].message
    assert "gfx942 has 65536" in found[0].message
    assert "`tile` is too large" in found[1].message
    assert "templated(float*)" in found[1].message


def test_the_command_shows_a_table_or_json_and_keeps_logs(amd: Compiler, tmp_path: Path) -> None:
    del amd
    source = write(tmp_path, DYNAMIC_LDS)
    out = tmp_path / "out"
    words = ["compile", str(source), "--target", "gfx942,gfx950", "-o", str(out)]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0, shown.output
    assert "dynamic_lds(float*)" in shown.stdout
    assert sorted(p.name for p in out.iterdir()) == [
        "k.gfx942.co",
        "k.gfx942.co.log",
        "k.gfx950.co",
        "k.gfx950.co.log",
    ]
    assert (out / "k.gfx942.co.log").read_text(encoding="utf-8").startswith("$ ")
    value = json.loads(CliRunner().invoke(app, [*words, "--json", "--block-size", "256"]).stdout)
    assert value["schema"] == 1
    kernel = value["compilations"][0]["kernels"][0]
    assert kernel["block_size"] == 256
    assert kernel["occupancy"]["max_waves_per_simd"] == 8
    assert kernel["dynamic_lds"] == 0


def test_dynamic_lds_over_the_budget_is_told_although_no_compiler_does(amd: Compiler, tmp_path: Path) -> None:
    del amd
    source = write(tmp_path, DYNAMIC_LDS)
    small, large = api.compile_files([source], "gfx942,gfx950", dynamic_lds=80 * 1024, block_size=256)
    assert small.ok
    assert large.ok
    (told,) = [d for d in small.diagnostics if d.flag == "lds-budget"]
    assert "81920" in told.message
    assert "65536" in told.message
    assert small.kernels[0].occupancy is not None
    assert small.kernels[0].occupancy.limit == "does not fit"
    assert not [d for d in large.diagnostics if d.flag == "lds-budget"]
    assert large.kernels[0].occupancy is not None
    assert (large.kernels[0].occupancy.blocks, large.kernels[0].occupancy.limit) == (2, "lds")


def test_a_failure_is_told_with_its_place_and_exit_code_3(amd: Compiler, tmp_path: Path) -> None:
    del amd
    good = write(tmp_path, DYNAMIC_LDS, "good.hip")
    bad = write(tmp_path, "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { p[0] = nowhere; }\n", "bad.hip")
    result = CliRunner().invoke(app, ["compile", str(good), str(bad), "--target", "gfx950"])
    assert result.exit_code == 3
    assert f"{bad}:2:36: error: use of undeclared identifier 'nowhere'" in result.stdout
    assert f"{good} gfx950: ok" in result.stdout


def test_a_missing_header_of_rocm_is_told_as_what_is_lacking(amd: Compiler, tmp_path: Path) -> None:
    del amd
    source = write(tmp_path, "#include <rocwmma/rocwmma.hpp>\n")
    (built,) = api.compile_files([source], "gfx950")
    assert not built.ok
    assert any("rocWMMA" in d.message for d in built.diagnostics), built.diagnostics


def test_a_check_sees_a_ballot_that_is_cut_and_errors_of_both_sides(amd: Compiler, tmp_path: Path) -> None:
    del amd
    text = """#include <hip/hip_runtime.h>
void host_only();
__global__ void k(unsigned* p) {
  unsigned mask = __ballot(p[threadIdx.x] > 0);
  p[0] = mask;
  host_only();
}
int main() { return nowhere; }
"""
    source = write(tmp_path, text)
    (built,) = api.compile_files([source], "gfx942", kind="check")
    assert not built.ok
    assert {(d.line, d.severity) for d in built.diagnostics} >= {(4, "warning"), (6, "error"), (8, "error")}
    assert next(d.flag for d in built.diagnostics if d.line == 4) == "-Wshorten-64-to-32"


def test_the_time_limit_ends_a_compilation(amd: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, LIBRARIES["rocthrust"])
    built = amd.compile(source, "gfx950", output=tmp_path / "k.co", limit=0.05)
    assert not built.ok
    assert "limit" in built.diagnostics[-1].message
    assert not (tmp_path / "k.co").exists()


def test_a_target_with_features_is_kept_as_it_was_written(amd: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, DYNAMIC_LDS)
    built = amd.compile(source, "gfx90a:sramecc+:xnack-", output=tmp_path / "k.co")
    assert built.ok, built.log
    assert built.kernels[0].target == "gfx90a:sramecc+:xnack-"


def test_wrong_requests_are_usage_errors(amd: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, DYNAMIC_LDS)
    with pytest.raises(UsageError):
        amd.compile(source, ("gfx942", "gfx950"), kind="codeobject")
    with pytest.raises(UsageError):
        api.compile_files([tmp_path / "none.hip"], "gfx950")
    with pytest.raises(UsageError):
        api.compile_files([source], "gfx950", kind="executable")
    with pytest.raises(UsageError):
        api.compile_files([source], "gfx951")
    (tmp_path / "other").mkdir()
    twin = write(tmp_path / "other", DYNAMIC_LDS)
    with pytest.raises(UsageError):
        api.compile_files([source, twin], "gfx950", output=tmp_path / "out")
    assert len(api.compile_files([source, twin], "gfx950")) == 2


def test_the_level_is_compiled_for_each_target_that_clang_and_the_bitcode_know(amd: Compiler) -> None:
    assert amd.level("gfx950") is Level.COMPILED
    assert amd.level("sm_90") is Level.NONE
    assert replace(amd, bitcode=amd.rocm).level("gfx950") is Level.TYPE_CHECKED  # type: ignore[attr-defined,type-var]


def test_headers_beside_the_source_and_in_folders_are_found(amd: Compiler, tmp_path: Path) -> None:
    del amd
    (tmp_path / "inc").mkdir()
    write(tmp_path, "#define FACTOR 2\n", "beside.h")
    write(tmp_path / "inc", "#define TERM 3\n", "far.h")
    text = '#include <hip/hip_runtime.h>\n#include "beside.h"\n#include "far.h"\n'
    source = write(tmp_path, text + "__global__ void k(int* p) { p[0] = p[0] * FACTOR + TERM + MORE; }\n")
    words = ["compile", str(source), "--target", "gfx950", "-I", str(tmp_path / "inc"), "-D", "MORE=4"]
    assert CliRunner().invoke(app, words).exit_code == 0
