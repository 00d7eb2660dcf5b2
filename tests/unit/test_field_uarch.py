"""Field cases about LDS, launches, atomics and library gaps; they live outside this repository."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hipport.cli import app
from hipport.frontend.text import blank

SHARED = Path(os.environ.get("HIPPORT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
KINDS = {"LDS", "launch-bounds", "atomics", "library gap", "missing API"}


def cases() -> list[Path]:
    found = sorted(SHARED.glob("field/*/checks.json"))
    return [path.parent for path in found if json.loads(path.read_text())["kind"] in KINDS]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no folder of field cases (HIPPORT_SHARED)")
@pytest.mark.parametrize("folder", cases(), ids=lambda folder: folder.name)
def test_a_case_comes_out_right_or_is_told(folder: Path, tmp_path: Path) -> None:
    checks = json.loads((folder / "checks.json").read_text())
    target = tmp_path / "out.hip"
    run = CliRunner().invoke(app, ["port", str(folder / checks["input"]), "-o", str(target)])
    assert run.exit_code in (0, 1), run.output
    code = blank(target.read_bytes()).decode()
    right = all(re.search(p, code) for p in checks["must"]) and not any(re.search(p, code) for p in checks["must_not"])
    told = any(re.search(p, run.output, re.IGNORECASE) for p in checks["diag"])
    wanted = {"both": right and told, "either": right or told, "diagnose": told, "rewrite": right}
    assert wanted[checks["expect"]], (run.output, code)
