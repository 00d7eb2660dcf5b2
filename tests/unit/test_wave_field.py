"""The field cases on the wave executor: the CUDA original at 32 lanes, the port that is wanted at 64."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipport.device import Limits, device
from hipport.device.program.run import Ended
from hipport.device.wave.compiler import cxx_compiler
from hipport.device.wave.program import run_program
from hipport.errors import UntestedError

ROOT = Path(__file__).resolve().parents[2]
FIELD = Path(os.environ.get("HIPPORT_SHARED") or ROOT.parent / "shared") / "field"
DRIVEN = sorted(path.parent for path in FIELD.glob("*/emu_driver.cpp"))
ELSEWHERE = ("cublas", "hipblas", "ATen", "torch/")  # libraries that the wave executor has not
# the drivers hand arrays of their own stack to kernels
HEAD = """
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>
#include <algorithm>
static const cudaError_t stack = cudaHostRegister((char*)__builtin_frame_address(0) - (4 << 20), 5 << 20, 0);
"""


@pytest.fixture(scope="session", autouse=True)
def _needs_a_compiler() -> None:
    if not FIELD.is_dir():
        pytest.skip(f"{FIELD} is not here")
    try:
        cxx_compiler()
    except UntestedError as error:
        pytest.skip(error.what)


def test_every_original_builds_but_for_libraries() -> None:
    built = 0
    for path in sorted(FIELD.glob("*/input.cu"))[::4]:
        if any(word in path.read_text(encoding="utf-8", errors="replace") for word in ELSEWHERE):
            continue
        device("wave:32").build(path)
        built += 1
    assert built >= 4


@pytest.mark.parametrize(("name", "width"), [("input.cu", 32), ("expected.hip", 64)])
@pytest.mark.parametrize("case", DRIVEN, ids=lambda path: path.name)
def test_a_driven_case_passes_its_own_check(case: Path, name: str, width: int, tmp_path: Path) -> None:
    text = HEAD if name == "input.cu" else HEAD.replace("cuda", "hip").replace("hip_runtime.h", "hip/hip_runtime.h")
    source = tmp_path / f"main{Path(name).suffix}"
    driver = (case / "emu_driver.cpp").read_text(encoding="utf-8")
    source.write_text(f'{text}\n#include "{case / name}"\n{driver}', encoding="utf-8")
    run = run_program(tmp_path, width, limits=Limits(seconds=60, memory=2 << 30), capture=True)
    assert run.ended is Ended.SUCCESS, run.fault or run.output
