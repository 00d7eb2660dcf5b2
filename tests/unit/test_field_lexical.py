"""Field cases that names, includes, launches and guards decide; they live outside this repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lexical import findings, ported

SHARED = Path(os.environ.get("HIPPORT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
KINDS = {
    "launch syntax", "encoding", "false positive", "idempotence", "namespaces and using", "macro", "generated code",
    "huge files", "library gap", "PyTorch extension",
}  # fmt: skip
# decided by what surrounds the file (file names, build files) or by the syntax tree, and tested there
ELSEWHERE = {"029-compute-capability-gate"}


def cases() -> list[Path]:
    found = sorted(SHARED.glob("field/*/checks.json"))
    kept = [path.parent for path in found if json.loads(path.read_text())["kind"] in KINDS]
    return [folder for folder in kept if folder.name not in ELSEWHERE]


def source(folder: Path, checks: dict[str, object], scratch: Path) -> tuple[str, bytes]:
    path = folder / str(checks["input"])
    if path.name == "gen.py":
        made = scratch / "big.cu"
        subprocess.run([sys.executable, str(path), str(made)], check=True)
        return made.name, made.read_bytes()
    return path.name, path.read_bytes()


def uncommented(text: bytes) -> str:
    """The text without comments, its strings kept."""
    token = rb'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/'
    return re.sub(token, lambda m: m[0] if m[0][:1] == b'"' else b" ", text).decode("utf-8", "replace")


def holds(checks: dict[str, list[str]], result: bytes) -> bool:
    code, raw = uncommented(result), result.decode("utf-8", "replace")
    return (
        all(re.search(p, code) for p in checks["must"])
        and not any(re.search(p, code) for p in checks["must_not"])
        and all(re.search(p, raw) for p in checks["raw_must"])
        and not any(re.search(p, raw) for p in checks["raw_must_not"])
    )


@pytest.mark.skipif(not SHARED.is_dir(), reason="no folder of field cases (HIPPORT_SHARED)")
@pytest.mark.parametrize("folder", cases(), ids=lambda folder: folder.name)
def test_a_field_case_comes_out_right(folder: Path, tmp_path: Path) -> None:
    checks = json.loads((folder / "checks.json").read_text())
    name, data = source(folder, checks, tmp_path)
    result = ported(data, name)
    said = "\n".join(f"{f.rule} {f.message} {f.next_step}" for f in findings(data, name))
    diagnosed = any(re.search(p, said, re.IGNORECASE) for p in checks["diag"])
    right = holds(checks, result)
    expect = checks["expect"]
    if expect == "unchanged":
        assert result == data
    assert (right or diagnosed) if expect == "either" else right, result.decode("utf-8", "replace")
    if expect in ("both", "diagnose"):
        assert diagnosed, said
    if "bytecheck" in checks["special"]:
        assert result.count(b"\r\n") == data.count(b"\r\n")
        assert result.count(b"\n") == data.count(b"\n")
    if "jinja" in checks["special"]:
        tags = re.compile(rb"\{\{.*?\}\}|\{%.*?%\}")
        assert tags.findall(result) == tags.findall(data)
