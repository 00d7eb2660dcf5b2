"""nvcc, libclang, zig's clang and PyTorch's headers: each skips with its reason where it is not here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport import api
from hipport.cli import app
from hipport.errors import UntestedError, UsageError
from hipport.frontend.typecheck import available
from hipport.targets import Vendor
from hipport.toolchain import compilers, libclangcheck, nvcc, torchheaders, zigclang
from hipport.toolchain.codeobject import code_objects
from hipport.toolchain.compiler import Kind, Level
from hipport.toolchain.places import default_prefix, read_prefix
from hipport.toolchain.process import run
from hipport.toolchain.zigclang import _host_words, host_words
from tests.toolchain.kernels import BASIC, DYNAMIC_LDS

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

PYPI = Path(__file__).resolve().parents[2] / ".cache" / "pypi"  # tests/install.py makes it
CUDA = """extern __shared__ float s[];
template <class T> __global__ void __launch_bounds__(256) k(T* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = p[i];
  __syncthreads();
  p[i] = s[threadIdx.x ^ 1] + n;
}
template __global__ void k<float>(float*, int);
"""


@pytest.fixture(scope="module")
def cuda() -> Compiler:
    found = nvcc.find()
    if found is None:
        pytest.skip("nvcc is not here")
    return found


def write(folder: Path, text: str, name: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_cuda_stands_beside_amd(cuda: Compiler, tmp_path: Path) -> None:
    source = write(tmp_path, CUDA, "k.cu")
    (built,) = api.compile_files([source], "sm_90", output=tmp_path / "out")
    assert built.ok, built.log
    assert built.output == tmp_path / "out" / "k.sm_90.cubin"
    (kernel,) = built.kernels
    assert (kernel.target, kernel.wave, kernel.block_size) == ("sm_90", 32, 256)
    assert kernel.demangled == "void k<float>(float*, int)"
    assert kernel.occupancy is not None
    assert kernel.occupancy.limit == "waves"
    ptx = cuda.compile(source, "sm_90", kind="asm", output=tmp_path / "k.ptx")
    assert ptx.output is not None
    assert ".entry" in ptx.output.read_text(encoding="utf-8")
    with pytest.raises(UsageError):
        cuda.compile(source, "sm_90", kind="llvm")


def test_cuda_errors_have_their_lines(cuda: Compiler, tmp_path: Path) -> None:
    bad = write(tmp_path, "\n__global__ void f(int* p) { p[0] = nowhere; }\n", "bad.cu")
    built = cuda.compile(bad, "sm_90", kind=Kind.CHECK)
    assert not built.ok
    assert [(d.line, d.severity) for d in built.diagnostics] == [(2, "error")]
    big = write(tmp_path, CUDA.replace("extern __shared__ float s[]", "__shared__ float s[20000]"), "big.cu")
    (built,) = api.compile_files([big], "sm_90")
    assert not built.ok
    assert "too much shared data" in built.diagnostics[0].message


def test_a_type_check_in_process_needs_no_compiler(tmp_path: Path) -> None:
    prefix = read_prefix(default_prefix())
    check = libclangcheck.find(prefix)
    if check is None or not Path("/usr/include/stdlib.h").is_file():
        pytest.skip("libclang, ROCm's headers or the host's headers are not here (make amd)")
    text = """#include <hip/hip_runtime.h>
__global__ void k(unsigned* p) { unsigned mask = __ballot(p[threadIdx.x] > 0); p[0] = mask; }
int main() { return nowhere; }
"""
    built = check.compile(write(tmp_path, text, "k.hip"), ("gfx942", "gfx1100"))
    assert not built.ok
    assert [(d.line, d.severity, d.flag) for d in built.diagnostics] == [
        (2, "warning", "-Wshorten-64-to-32"),
        (3, "error", ""),
    ]
    good = check.compile(write(tmp_path, DYNAMIC_LDS, "good.hip"), "gfx950")
    assert good.ok, good.log
    assert check.level("gfx950") is Level.TYPE_CHECKED
    with pytest.raises(UsageError):
        check.compile(tmp_path / "k.hip", "gfx950", kind="codeobject")


def test_without_any_compiler_the_next_step_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROCM_PATH", "ROCM_HOME", "HIP_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    if any(c.level("gfx950") is Level.COMPILED for c in compilers(Vendor.AMD, tmp_path)):
        pytest.skip("a compiler lies outside the path here")
    with pytest.raises(UntestedError) as caught:
        api.compile_files([write(tmp_path, DYNAMIC_LDS, "k.hip")], "gfx950", prefix=tmp_path)
    assert "hipport toolchain install" in caught.value.next_step


def test_the_levels_of_this_machine(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["toolchain", "--target", "gfx950,sm_90"])
    assert shown.exit_code == 0, shown.output
    value = json.loads(CliRunner().invoke(app, ["toolchain", "--json", "--prefix", str(tmp_path)]).stdout)
    assert value["schema"] == 1
    assert value["route"] == ""
    levels = {row["target"]: row["level"] for row in value["levels"]}
    assert set(levels) == {target.name for target in api.targets()}
    assert set(levels.values()) <= {level.value for level in Level}
    if available():
        assert "none" not in levels.values()
    refused = CliRunner().invoke(app, ["toolchain", "--target", "gfx1"])
    assert isinstance(refused.exception, UsageError)


ZIG_CC1 = [
    "-cc1",
    "-triple",
    "x86_64",
    "-nostdsysteminc",
    "-isystem",
    "/z/lib/libcxx/include",
    "-isystem",
    "/z/lib/libcxxabi/include",
    "-isystem",
    "/z/lib/include",
    "-isystem",
    "/z/lib/libc/include/generic-glibc",
    "-D",
    "__GLIBC_MINOR__=28",
    "-D",
    "_LIBCPP_ABI_VERSION=1",
]


def test_zigs_own_headers_go_where_clangs_wrappers_find_them() -> None:
    assert _host_words(ZIG_CC1) == (
        "-nostdlibinc",
        "-stdlib++-isystem",
        "/z/lib/libcxx/include",
        "-stdlib++-isystem",
        "/z/lib/libcxxabi/include",
        "-idirafter",
        "/z/lib/libc/include/generic-glibc",
        "-D__GLIBC_MINOR__=28",
        "-D_LIBCPP_ABI_VERSION=1",
    )


@pytest.mark.slow
@pytest.mark.parametrize("own_headers", [False, True])
def test_zigs_clang_compiles_without_and_with_its_own_host_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_headers: bool
) -> None:
    prefix = next((p for p in map(read_prefix, (PYPI, default_prefix())) if p and p.route == "pypi"), None)
    found = zigclang.find(prefix)
    if prefix is None or found is None:
        pytest.skip("zig or its prefix is not here: python tests/install.py pypi")
    if own_headers:
        monkeypatch.setattr(zigclang, "has_host_headers", lambda: False)
        found = zigclang.find(prefix)
        assert found is not None
        assert host_words(Path(found.driver[0]))
    for name, text in BASIC.items():
        source = write(tmp_path, text, f"{name}.hip")
        for target in ("gfx942", "gfx950", "gfx1201"):
            built = found.compile(source, target, output=tmp_path / "k.co")
            assert built.ok, built.log
            assert built.kernels[0].target == target
    whole = found.compile(tmp_path / "dynamic_lds.hip", ("gfx942", "gfx950"), kind="object", output=tmp_path / "k.o")
    assert whole.ok, whole.log
    assert [o.target for o in code_objects((tmp_path / "k.o").read_bytes())] == ["gfx942", "gfx950"]


@pytest.mark.torch
def test_pytorchs_headers_are_as_a_hip_build_has_them(
    amd: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del amd
    pytest.importorskip("torch")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = """#include <hip/hip_runtime.h>
#include <c10/hip/HIPStream.h>
#include <c10/hip/HIPGuard.h>
__global__ void twice(float* p) { p[threadIdx.x] *= 2; }
void launch(float* p) {
  c10::cuda::CUDAGuard guard(0);
  twice<<<1, 64, 0, c10::cuda::getCurrentCUDAStream()>>>(p);
}
"""
    source = write(tmp_path, text, "k.hip")
    (built,) = api.compile_files([source], "gfx950", kind="object", output=tmp_path / "out", torch=True)
    assert built.ok, built.log
    assert [k.demangled for k in built.kernels] == ["twice(float*)"]
    (made,) = (tmp_path / "cache/hipport").glob("torch-*/overlay.json")
    before = made.stat().st_mtime_ns
    assert torchheaders.torch_words("hip")
    assert made.stat().st_mtime_ns == before


def test_a_command_that_is_not_there_or_hangs_is_an_answer(tmp_path: Path) -> None:
    gone = run([str(tmp_path / "none")], log=tmp_path / "logs" / "a.log")
    assert (gone.ok, gone.code) == (False, 127)
    hung = run(["sh", "-c", "sleep 60 & sleep 60"], limit=0.2, log=tmp_path / "logs" / "b.log")
    assert hung.code is None
    assert "limit" in hung.output
    assert "time limit" in (tmp_path / "logs" / "b.log").read_text(encoding="utf-8")
