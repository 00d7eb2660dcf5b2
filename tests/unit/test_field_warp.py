"""Field cases about warps, masks and lane PTX, run on waves of 32 and 64 lanes; they live outside this repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport.cli import app
from hipport.frontend.text import blank

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

SHARED = Path(os.environ.get("HIPPORT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
KINDS = {"wave64", "mask", "inline PTX"}
NO_CASES = "no folder of field cases (HIPPORT_SHARED)"


def cases() -> list[Path]:
    found = sorted(SHARED.glob("field/*/checks.json"))
    return [path.parent for path in found if json.loads(path.read_text())["kind"] in KINDS]


def ported(folder: Path, checks: dict[str, str], scratch: Path) -> tuple[Path, str]:
    target = scratch / "out.hip"
    run = CliRunner().invoke(app, ["port", str(folder / checks["input"]), "-o", str(target)])
    assert run.exit_code in (0, 1), run.output
    return target, run.output


@pytest.mark.skipif(not SHARED.is_dir(), reason=NO_CASES)
@pytest.mark.parametrize("folder", cases(), ids=lambda folder: folder.name)
def test_a_warp_case_comes_out_right(folder: Path, tmp_path: Path) -> None:
    checks = json.loads((folder / "checks.json").read_text())
    target, said = ported(folder, checks, tmp_path)
    if checks["emu"]:
        for wave in ("32", "64"):
            words = [str(SHARED / "field/emu/run.py"), str(target), str(folder / "emu_driver.cpp"), wave]
            ran = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
            assert ran.returncode == 0, f"wave {wave}: {ran.stdout}"
        return
    code = blank(target.read_bytes()).decode()
    right = all(re.search(p, code) for p in checks["must"]) and not any(re.search(p, code) for p in checks["must_not"])
    told = checks["expect"] == "either" and any(re.search(p, said, re.IGNORECASE) for p in checks["diag"])
    assert right or told, said


@pytest.mark.amd
@pytest.mark.skipif(not SHARED.is_dir(), reason=NO_CASES)
@pytest.mark.parametrize("folder", cases(), ids=lambda folder: folder.name)
def test_a_ported_warp_case_compiles(folder: Path, tmp_path: Path, amd: Compiler) -> None:
    checks = json.loads((folder / "checks.json").read_text())
    if not checks["hip_compile"]:
        pytest.skip("the case is not compiled")
    target, _ = ported(folder, checks, tmp_path)
    done = amd.compile(target, "gfx942", kind="asm", options=["-O0"])
    if not done.ok and checks["hip_compile"] == "hipcub" and "hipcub.hpp' file not found" in str(done.log):
        pytest.skip("no hipCUB headers here")
    assert done.ok, done.log
