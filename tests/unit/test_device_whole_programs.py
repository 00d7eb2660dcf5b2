"""Whole HIP programs on the isa executor, through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

pytestmark = pytest.mark.amd
HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


@pytest.fixture(autouse=True)
def _needs_a_compiler(amd: Compiler) -> None:
    del amd


def hipport(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hipport", "run", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ)


def answer(*words: str) -> tuple[int, dict[str, Any]]:
    ran = hipport("--json", *words)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


RUNTIME = """\
over the end: hipErrorInvalidValue
last: hipErrorInvalidValue, then: hipSuccess
weighed: 12 236 63, counted 60, managed 65
pitched: 256, 0 7 9 12
freed twice: hipErrorInvalidValue
{target} warp 64, LDS {lds}, threads 1024
96 KiB: {big}
2048 threads: hipErrorInvalidConfiguration
no block: hipErrorInvalidConfiguration
129 threads of 128: hipErrorLaunchFailure
LDS with its own: hipErrorOutOfMemory
2^32 threads: hipErrorInvalidConfiguration
cooperative, no block: hipErrorInvalidConfiguration, no thread: hipErrorInvalidConfiguration, \
too large: hipErrorCooperativeLaunchTooLarge
module 0,1 64,1: hipErrorInvalidValue
module 1,1 0,1: hipErrorInvalidValue
module 1,1 2048,1: hipErrorInvalidValue
module 1,65537 64,1: hipErrorInvalidValue
module 1,1 129,1: hipErrorLaunchFailure
module 1,1 128,1: hipSuccess
resident: {resident}, best block 1024, static LDS 0
stream: 3 21, callback 1, time yes
"""


@pytest.mark.parametrize(
    ("target", "lds", "big", "resident"),
    [("gfx942", 65536, "hipErrorInvalidValue", 2), ("gfx950", 163840, "hipSuccess", 4)],
)
def test_the_runtime_does_what_hip_does(target: str, lds: int, big: str, resident: int) -> None:
    code, run = answer("--program", str(PROGRAMS / "runtime"), "--device", f"isa:{target}")
    assert run["output"] == RUNTIME.format(target=target, lds=lds, big=big, resident=resident)
    assert (code, run["ended"], run["fidelity"]) == (0, "exit 0", "exact")
    launches = {row["kernel"]: row["launches"] for row in run["kernels"]}
    expected = {"weigh": 1, "(anonymous namespace)::add": 3, "bounded": 1}
    assert launches == expected | ({"big_tile": 1} if target == "gfx950" else {})
    assert {row["hip_error"] for row in run["refused"]} == {
        *("hipErrorInvalidValue", "hipErrorInvalidConfiguration", "hipErrorLaunchFailure", "hipErrorOutOfMemory")
    }


def test_a_makefile_is_used_as_it_is_and_the_folder_stays_as_it_is() -> None:
    before = sorted(PROGRAMS.rglob("*"))
    folder = str(PROGRAMS / "made")
    ran = hipport("--program", folder, "--device", "isa:gfx942", "--cflags", "-DFACTOR=2.0f", "--", "7")
    assert ran.stdout == "PASS 7\n"
    assert "scale_kernel: 1 launches" in ran.stderr
    assert ran.returncode == 0
    assert sorted(PROGRAMS.rglob("*")) == before


def test_a_program_that_fails_its_own_check_says_so() -> None:
    folder = str(PROGRAMS / "made")
    code, run = answer("--program", folder, "--device", "isa:gfx942", "--cflags", "-DFACTOR=3.0f")
    assert (code, run["ended"], run["code"]) == (3, "own exit code", 1)
    assert run["output"] == "FAIL at 1: 3\n"


def test_a_program_that_does_not_build_shows_the_compilers_error() -> None:
    ran = hipport("--program", str(PROGRAMS / "made"), "--device", "isa:gfx942")
    assert ran.returncode == 3
    assert "use of undeclared identifier 'FACTOR'" in ran.stderr


def test_what_is_not_provided_is_named() -> None:
    code, run = answer("--program", str(PROGRAMS / "runtime"), "--device", "isa:gfx942", "--", "graph")
    assert (code, run["ended"], run["missing"]) == (5, "not provided", "hipGraphCreate")
    assert run["fidelity"] == "inconclusive"


def test_a_programs_own_exit_code_is_reported() -> None:
    code, run = answer("--program", str(PROGRAMS / "runtime"), "--device", "isa:gfx942", "--", "9")
    assert (code, run["code"]) == (3, 9)


def test_a_fault_ends_the_program_and_names_line_and_allocation() -> None:
    code, run = answer("--program", str(PROGRAMS / "faulty"), "--device", "isa:gfx950")
    fault = run["fault"]
    assert (code, run["ended"]) == (3, "fault")
    assert run["output"].startswith("before\n")
    assert "after" not in run["output"]
    assert (fault["kind"], Path(fault["file"]).name, fault["line"]) == ("global_bounds", "main.hip", 7)
    assert (fault["block"], fault["thread"]) == ([1, 0, 0], [36, 0, 0])
    assert "hipMalloc #1 of 400 bytes" in fault["message"]
    assert Path(fault["file"]).absolute() == PROGRAMS / "faulty" / "main.hip"


def test_the_time_limit_is_no_verdict() -> None:
    code, run = answer("--program", str(HERE / "programs" / "endless"), "--device", "isa:gfx942", "--limit", "1")
    assert (code, run["ended"]) == (5, "time limit")
