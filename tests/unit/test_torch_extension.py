"""PyTorch's CUDA extensions with no GPU: the build copy, what setup.py asks for, and the softmax example run."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hipport.device.executor import FaultError, Limits
from hipport.device.torch_extension.building import Extension, build_extension
from hipport.device.torch_extension.case import Asked, answered
from hipport.device.torch_extension.options import kept
from hipport.device.torch_extension.project import build_copy, digest, of_setup
from hipport.device.torch_extension.rewriting import for_cpu
from hipport.device.torch_extension.session import Session
from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "row_softmax"
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("TORCH_CHECK(x.is_cuda(), m);", "TORCH_CHECK(x.is_cpu(), m);"),
        ("x.device().is_cuda()", "x.device().is_cpu()"),
        ("AT_ASSERTM(x.type().is_cuda(), m)", "AT_ASSERTM(x.is_cpu(), m)"),
        ("x->type() . is_cuda()", "x.is_cpu()"),
        ("options.device(torch::kCUDA)", "options.device(torch::kCPU)"),
        ("c10::DeviceType::HIP", "c10::DeviceType::CPU"),
        ("TORCH_LIBRARY_IMPL(ops, CUDA, m) {", "TORCH_LIBRARY_IMPL(ops, CPU, m) {"),
        ("TORCH_LIBRARY_IMPL(ops, AutogradCUDA, m)", "TORCH_LIBRARY_IMPL(ops, AutogradCPU, m)"),
        ("x = y.cuda();", "x = y.cpu();"),
        ('torch::Device("cuda:0")', 'torch::Device("cpu")'),
        ('torch::Device("meta")', 'torch::Device("meta")'),
        ("at::cuda::getCurrentCUDAStream()", "at::cuda::getCurrentCUDAStream()"),
        ('// x.is_cuda()\nlog("is_cuda kCUDA");', '// x.is_cuda()\nlog("is_cuda kCUDA");'),
        ("#define CHECK(x) TORCH_CHECK(x.is_cuda(), #x)", "#define CHECK(x) TORCH_CHECK(x.is_cpu(), #x)"),
        ("bool my_is_cuda_flag;", "bool my_is_cuda_flag;"),
    ],
)
def test_a_question_for_cuda_becomes_one_for_the_cpu(source: str, wanted: str) -> None:
    assert for_cpu(source.encode()).decode() == wanted
    assert for_cpu(wanted.encode()).decode() == wanted


def test_operators_that_a_repository_registers_for_the_cpu_too_are_put_aside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "gpu.cu").write_text("TORCH_LIBRARY_IMPL(ops, CUDA, m) {}\n", encoding="utf-8")
    (root / "cpu.cpp").write_text("TORCH_LIBRARY_IMPL(ops, CPU, m) {}\n", encoding="utf-8")
    build_copy(root, tmp_path / "copy")
    assert "CPU, m" in (tmp_path / "copy" / "gpu.cu").read_text(encoding="utf-8")
    assert "CPU, m" not in (tmp_path / "copy" / "cpu.cpp").read_text(encoding="utf-8")
    assert "CUDA" in (root / "gpu.cu").read_text(encoding="utf-8")


def test_the_digest_is_of_code_and_recipes_alone(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("int a;\n", encoding="utf-8")
    first = digest(tmp_path)
    (tmp_path / "README.md").write_text("text\n", encoding="utf-8")
    assert digest(tmp_path) == first
    (tmp_path / "k.cu").write_text("int b;\n", encoding="utf-8")
    assert digest(tmp_path) != first


def test_options_keep_what_code_means() -> None:
    words = "-O3 -std=c++17 -DX=1 --use_fast_math -gencode arch=compute_80,code=a -Iinc -Xptxas -v -ffp-contract=fast"
    assert kept(words.split()) == ("-DX=1", "-Iinc", "-ffp-contract=fast")
    assert kept(["--expt-relaxed-constexpr", "-lineinfo", "-Xcompiler", "-fPIC", "-U__X__"]) == ("-U__X__",)


def test_sources_without_device_code_and_folders_without_setup_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a;\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"none of the sources"):
        build_extension([tmp_path / "a.cpp"], "isa:gfx950")
    with pytest.raises(UsageError, match=r"no setup\.py"):
        build_extension(tmp_path, "isa:gfx950")


@needs_torch
@pytest.mark.torch
def test_setup_says_what_is_built_for_each_vendor(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(
        textwrap.dedent("""
        import torch
        from setuptools import setup
        from torch.utils.cpp_extension import BuildExtension, CUDAExtension
        assert torch.cuda.is_available()
        setup(
            name="pair", packages=["pair", "pair.sub"], package_dir={"": "src"},
            ext_modules=[CUDAExtension(
                "pair._C", ["csrc/a.cpp", "csrc/b.hip" if torch.version.hip else "csrc/b.cu"],
                include_dirs=["csrc"], define_macros=[("WITH_GPU", None), ("N", "4")],
                extra_compile_args={"cxx": ["-O3"], "nvcc": ["-DDEVICE"]},
            )],
            cmdclass={"build_ext": BuildExtension},
        )
        """),
        encoding="utf-8",
    )
    (tmp_path / "csrc").mkdir()
    for vendor, suffix in (("hip", "hip"), ("cuda", "cu")):
        project = of_setup(tmp_path, vendor)
        (library,) = project.libraries
        assert (library.name, library.stem) == ("pair._C", "_C")
        assert library.sources == ("csrc/a.cpp", f"csrc/b.{suffix}")
        assert (library.include_dirs, library.macros) == (("csrc",), ("-DWITH_GPU", "-DN=4"))
        assert (library.cxx, library.device) == (("-O3",), ("-DDEVICE",))
        assert project.packages == {"pair": "./src/pair".removeprefix("./"), "pair.sub": "src/pair/sub"}


@needs_torch
@pytest.mark.torch
def test_a_setup_that_fails_says_so(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("raise SystemExit('no such library')\n", encoding="utf-8")
    with pytest.raises(HipportError, match=r"setup\.py fails"):
        of_setup(tmp_path, "hip")


@pytest.fixture(scope="module")
def softmax(amd: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Extension:
    """The port of the example for gfx950, from the cache where it has been built."""
    pytest.importorskip("torch")
    if not hasattr(amd, "command"):
        pytest.skip(f"{amd.name} builds no host code")
    from hipport.api import ported_folder
    from hipport.config import Config

    del tmp_path_factory
    return build_extension(ported_folder(EXAMPLE, Config()).folder, "isa:gfx950")


@pytest.mark.torch
@pytest.mark.amd
@pytest.mark.slow
def test_the_softmax_extension_runs_forward_and_backward_and_stays_alive(softmax: Extension, tmp_path: Path) -> None:
    case = tmp_path / "case.py"
    example = (EXAMPLE / "extension_case.py").read_text(encoding="utf-8")
    wrong = "def run(ext, inputs):\n    return ext.forward(inputs['x'].t())\n"
    case.write_text(example, encoding="utf-8")
    bad = tmp_path / "bad.py"
    bad.write_text(example.partition("def run")[0] + wrong, encoding="utf-8")
    with Session(softmax, Limits(seconds=120)) as session:
        for rows, columns in ((5, 65), (2, 1500)):
            done = answered(session, Asked(case, values={"rows": rows, "columns": columns}))
            for name, kind in (("y", done.forward), ("x", done.backward)):
                truth = done.truth[name].data
                assert np.abs(kind[name].data - truth).max() <= 1e-5 * np.abs(truth).max()
            assert done.unwritten == {}
            assert done.overwritten == ()
            assert [launches for _, launches in done.kernels] == [2, 2]
        with pytest.raises(HipportError, match="x must be contiguous") as raised:
            answered(session, Asked(bad, values={"rows": 2, "columns": 3}))
        assert raised.value.where.endswith("bad.py:13")
        again = answered(session, Asked(case, values={"rows": 1, "columns": 1}, other="x"))
        assert again.forward["y"].data.tolist() == [[1.0]]


@pytest.mark.torch
@pytest.mark.amd
@pytest.mark.slow
def test_a_fault_of_a_kernel_is_told_and_the_process_started_again(softmax: Extension, tmp_path: Path) -> None:
    case = tmp_path / "case.py"
    case.write_text(
        "import torch\n"
        "def inputs(seed, columns):\n"
        "    return {'x': torch.randn(2, columns)}\n"
        "def run(ext, inputs):\n"
        "    x = inputs['x']\n"
        "    if x.size(1) == 33:\n"
        "        x = torch.as_strided(x, x.shape, x.stride())\n"
        "        x.untyped_storage().resize_(16)\n"
        "    return ext.forward(x)\n",
        encoding="utf-8",
    )
    with Session(softmax, Limits(seconds=120)) as session:
        with pytest.raises(FaultError, match="out of bounds") as raised:
            answered(session, Asked(case, values={"columns": 33}))
        assert "softmax_forward_warp" in raised.value.fault.kernel
        assert answered(session, Asked(case, values={"columns": 4})).forward["output"].data.shape == (2, 4)
