"""What is ported also builds: the examples in both styles, through make and CMake, for gfx942 and gfx950."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
import rocm_folder

from hipport import api
from hipport.config import Config, Style
from hipport.resources import data_dir
from hipport.toolchain.clanghip import ClangHip

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

pytestmark = [pytest.mark.amd, pytest.mark.slow]


@pytest.fixture(scope="module")
def rocm(rocm_libraries: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not isinstance(rocm_libraries, ClangHip):
        pytest.skip(f"{rocm_libraries.name} makes no objects")
    if not shutil.which("cc"):
        pytest.skip("no cc for the libraries that hip-config asks for")
    return rocm_folder.make(tmp_path_factory.mktemp("rocm") / "rocm", rocm_libraries)


@pytest.fixture(scope="module", params=list(Style), ids=lambda s: s.value)
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Style]:
    out = tmp_path_factory.mktemp(request.param.value) / "examples"
    api.port(data_dir("examples"), out, config=Config(style=request.param, jobs=1))
    return out, request.param


def targets(path: Path) -> set[str]:
    from hipport.toolchain.codeobject import code_objects

    return {name for o in code_objects(path.read_bytes()) for name in ("gfx942", "gfx950") if name in o.target}


def test_make_builds_objects_for_both_targets(port: tuple[Path, Style], rocm: Path) -> None:
    if not shutil.which("make"):
        pytest.skip("no make")
    folder, style = port[0] / "reduce_histogram", port[1]
    words = ["make", "-C", str(folder), "reduce.o", *(["HIP=1"] if style is Style.DUAL else [])]
    run = subprocess.run(words, env={**os.environ, "ROCM_PATH": str(rocm)}, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert targets(folder / "reduce.o") == {"gfx942", "gfx950"}


def test_cmake_configures_hip_and_builds(port: tuple[Path, Style], rocm: Path, tmp_path: Path) -> None:
    if not shutil.which("cmake") or not shutil.which("make") or not (rocm / "lib/cmake/hip-lang").is_dir():
        pytest.skip("no cmake or make, or a compiler without CMake packages")
    folder, style = port[0] / "kmeans", port[1]
    hipcc = (rocm / "bin/hipcc").read_text().splitlines()[-1].split("'")[1::2]
    words = ["cmake", "-G", "Unix Makefiles", "-S", str(folder), "-B", str(tmp_path / "b")]
    words += [f"-DCMAKE_HIP_COMPILER={hipcc[0]}", "-DCMAKE_HIP_FLAGS_RELEASE=-O0"]  # hipCUB takes minutes with -O3
    words += [f"-DCMAKE_HIP_FLAGS={' '.join(hipcc[1:])}", f"-DCMAKE_HIP_COMPILER_ROCM_ROOT={rocm}"]
    words += ["-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"]  # there is no runtime to link
    words += ["-DUSE_HIP=ON"] if style is Style.DUAL else []
    env = {**os.environ, "ROCM_PATH": str(rocm)}
    run = subprocess.run(words, env=env, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    assert "HIP compiler identification is Clang" in run.stdout
    suffix = "cu" if style is Style.DUAL else "hip"  # one of the library's two sources, for its time
    run = subprocess.run(
        ["cmake", "--build", str(tmp_path / "b"), "--target", f"src/cluster_sum.{suffix}.o"],
        env=env,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    built = next((tmp_path / "b").rglob("cluster_sum*.o"))
    assert targets(built) == {"gfx942", "gfx950"}
