"""Whole CUDA programs on the wave executor, through the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hipport.device.wave.compiler import INCLUDE, cxx_compiler
from hipport.device.wave.nvcc import plain_words
from hipport.errors import UntestedError

HERE = Path(__file__).resolve().parent
LANES = HERE / "programs" / "lanes"
EXAMPLE = HERE.parents[1] / "examples" / "reduce_histogram"


@pytest.fixture(scope="session", autouse=True)
def _needs_a_compiler() -> None:
    try:
        cxx_compiler()
    except UntestedError as error:
        pytest.skip(error.what)
    if shutil.which("make") is None:
        pytest.skip("there is no make here")


def answer(*words: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "hipport", "run", "--json", *words]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


SAYS = """\
warp {width}: PASS
2048 threads: cudaErrorInvalidConfiguration
over the end: cudaErrorInvalidValue
"""


@pytest.mark.parametrize("width", [32, 64])
def test_a_program_of_two_files_built_by_its_makefile(width: int) -> None:
    code, run = answer("--program", str(LANES), "--device", f"wave:{width}", "--", "1000")
    assert run["output"] == SAYS.format(width=width)
    assert (code, run["ended"], run["fidelity"]) == (0, "exit 0", "exact")
    assert {row["kernel"]: row["launches"] for row in run["kernels"]} == {"scale": 1, "reversed": 1}


def test_a_kernels_fault_ends_the_program_and_names_the_line() -> None:
    code, run = answer("--program", str(LANES), "--device", "wave:32", "--", "1000", "wrong")
    assert (code, run["ended"]) == (3, "fault")
    assert run["fault"]["kind"] == "global_bounds"
    assert Path(run["fault"]["file"]).name == "kernels.cuh"
    line = (LANES / "kernels.cuh").read_text(encoding="utf-8").splitlines()[run["fault"]["line"] - 1]
    assert "in[i] * factor" in line
    assert "cudaMalloc #1, which has 4000 bytes" in run["fault"]["message"]


def test_the_example_program_passes_its_own_check() -> None:
    code, run = answer("--program", str(EXAMPLE), "--device", "wave:32")
    assert (code, run["ended"]) == (0, "exit 0"), run["output"] or run["fault"]


def test_words_for_nvcc_are_read_as_the_hosts() -> None:
    words = "-c a.cu -o a.o -std=c++14 -arch=sm_80 -gencode arch=compute_80,code=sm_80 -Xcompiler -fopenmp,-Wall -O3"
    words += " --expt-relaxed-constexpr -DX=1 -I inc -rdc=true -Xptxas -v -lcublas --use_fast_math --std c++20 -t 4"
    wanted = "-c a.cu -o a.o -std=c++17 -fopenmp -DX=1 -I inc -lcublas -std=c++20"
    assert " ".join(plain_words(words.split())) == wanted


def test_hip_has_a_name_for_every_host_function_of_cuda() -> None:
    headers = INCLUDE / "hipport"
    cuda = set(re.findall(r"\bcuda[A-Z]\w*", (headers / "host.h").read_text(encoding="utf-8")))
    hip = dict(
        re.findall(r"^#define (hip\w+) (cuda\w+)$", (headers / "hip_names.h").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert cuda - set(hip.values()) == set()
    assert {name for name in hip.values() if name not in cuda} <= {"cudaError", "cudaError_t"}
