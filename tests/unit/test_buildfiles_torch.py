"""A PyTorch extension under a ROCm torch: its compile commands, and torch's own hipify over what is ported."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipport import api
from hipport.config import Config, Stage, Style
from hipport.porting.torch_mark import MARK
from hipport.resources import data_dir

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch"),
]
HIPIFY = """
import sys
from torch.utils.hipify import hipify_python
folder = sys.argv[1]
hipify_python.hipify(folder, output_directory=folder, includes=[folder + "/*"], extra_files=sys.argv[2:],
    header_include_dirs=[], show_progress=False, is_pytorch_extension=True, hipify_extra_files_only=True)
"""
KERNEL = """\
#include <cuda_runtime.h>
__constant__ float bias[4];
__global__ void k(float* x, int n) {  // cudaMalloc
  float v = __shfl_sync(0xffffffffu, x[threadIdx.x], 0);
  x[threadIdx.x] = v + bias[n];
}
cudaError_t run(float* x, int n, cudaStream_t s) {
  if (n)k<<<1, n < 4 ? 64 : 128, 0, s>>>(x, n);
  return cudaGetLastError();
}
"""
SETUP = "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"


def commands(folder: Path, rocm: Path, tmp_path: Path) -> list[list[str]]:
    """What a ROCm torch would run for the setup.py of a folder."""
    env = {**os.environ, "ROCM_HOME": str(rocm), "PYTORCH_ROCM_ARCH": "gfx942;gfx950", "COMMANDS": str(tmp_path / "c")}
    driver = Path(__file__).with_name("rocm_torch.py")
    run = subprocess.run(
        [sys.executable, str(driver)], cwd=folder, env=env, check=False, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads((tmp_path / "c").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("style", list(Style), ids=lambda s: s.value)
def test_the_hip_branch_gives_the_commands_of_a_rocm_torch(style: Style, tmp_path: Path) -> None:
    out = tmp_path / "out"
    api.port(data_dir("examples") / "row_softmax", out, config=Config(style=style, jobs=1))
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    (tmp_path / "rocm/bin").mkdir(parents=True)
    found = commands(out, tmp_path / "rocm", tmp_path)
    device = [c for c in found if c[0].endswith("hipcc")]
    assert len(device) == 1
    words = device[0]
    assert [w for w in words if w.startswith("--offload-arch")] == ["--offload-arch=gfx942", "--offload-arch=gfx950"]
    assert "-gline-tables-only" in words
    assert not any("gencode" in w or "use_fast_math" in w or w == "-lineinfo" for w in words)
    assert words[words.index("-c") + 1] == "csrc/softmax_kernel.hip"
    assert {p: p.read_bytes() for p in before} == before
    if style is Style.HIP:
        assert not list(out.rglob("*_hip.*")), "torch's hipify made copies of what is ported"
        assert (out / "csrc/softmax_kernel.hip").read_bytes().startswith(MARK)


@pytest.mark.amd
@pytest.mark.slow
@pytest.mark.parametrize("style", list(Style), ids=lambda s: s.value)
def test_torchs_hipify_leaves_the_meaning_alone(style: Style, amd, tmp_path: Path) -> None:
    source = tmp_path / "a"
    source.mkdir()
    text = KERNEL.replace("(n)k<<<", "(n) k<<<") if style is Style.DUAL else KERNEL
    (source / "k.cu").write_text(text.replace("n < 4 ? 64 : 128", "64") if style is Style.DUAL else text)
    (source / "setup.py").write_text(SETUP)
    out = tmp_path / "b"
    api.port(source, out, config=Config(style=style, jobs=1))
    name = "k.hip" if style is Style.HIP else "k.cu"
    shutil.copytree(out, tmp_path / "c")
    again = tmp_path / "c"
    subprocess.run([sys.executable, "-c", HIPIFY, str(again), str(again / name)], check=True, capture_output=True)
    made = []
    for path in (out / name, again / "k.hip"):
        built = amd.compile(path, "gfx950", kind="asm", output=tmp_path / "k.s")
        assert built.ok, built.log
        lines = re.sub(r"__hip_cuid_\w+", "cuid", (tmp_path / "k.s").read_text()).splitlines()
        made.append([line for line in lines if not line.lstrip().startswith((".file", ".ident", ";"))])
    assert made[0] == made[1]
    if style is Style.HIP:
        assert (again / name).read_bytes() == (out / name).read_bytes()


def test_launches_that_torchs_hipify_reads_wrongly_are_named(tmp_path: Path) -> None:
    source = tmp_path / "a"
    source.mkdir()
    (source / "k.cu").write_text(KERNEL)
    (source / "setup.py").write_text(SETUP)
    config = Config(style=Style.DUAL, jobs=1, only=(Stage.RENAME, Stage.BUILD))
    report = api.port(source, tmp_path / "b", config=config).report
    found = [f.finding for file in report.files for f in file.findings if f.finding.rule == "torch-hipify-launch"]
    assert len(found) == 1
    assert "blank" in found[0].next_step


def test_only_extensions_are_marked(tmp_path: Path) -> None:
    source = tmp_path / "a"
    source.mkdir()
    (source / "k.cu").write_text(KERNEL)
    config = Config(jobs=1, only=(Stage.RENAME, Stage.BUILD))
    api.port(source, tmp_path / "b", config=config)
    assert MARK not in (tmp_path / "b/k.hip").read_bytes()
    (source / "setup.py").write_text(SETUP)
    api.port(source, tmp_path / "b", config=config)
    assert (tmp_path / "b/k.hip").read_bytes().startswith(MARK)
    api.port(tmp_path / "b", tmp_path / "c", config=config)
    assert (tmp_path / "c/k.hip").read_bytes() == (tmp_path / "b/k.hip").read_bytes()
