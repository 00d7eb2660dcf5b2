"""The rules' cases, which lie beside them: exact bytes, only the announced findings, a second run changes nothing.

`// review:` and `// left:` of a case list what is renamed and shown to a person, and what is not edited, in order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from hipport.config import Config
from hipport.model import Finding, Safety, SourceFile
from hipport.renames.match import find
from hipport.renames.table import load
from hipport.resources import data_dir
from hipport.source import edits, guard

if TYPE_CHECKING:
    from pathlib import Path

CASES = sorted(data_dir("rules").glob("*/*.cu"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def announced(data: bytes, word: str) -> list[str]:
    return [item for line in re.findall(rf"^// {word}: (.*)$", data.decode(), re.MULTILINE) for item in line.split()]


def found(data: bytes, path: str) -> tuple[Finding, ...]:
    return find(SourceFile(path, data), load(Config().rocm), Config())


def places(data: bytes, findings: tuple[Finding, ...], safety: Safety) -> list[str]:
    texts = [data[f.span.start : f.span.end].decode() for f in findings if f.safety is safety]
    return [re.sub(r'#include [<"](.*)[>"]', r"\1", text) for text in texts]


@pytest.mark.parametrize("path", CASES, ids=name)
def test_a_case_gives_exactly_what_it_announces(path: Path) -> None:
    data = path.read_bytes()
    findings = found(data, "case.cu")
    assert places(data, findings, Safety.REVIEW) == announced(data, "review")
    assert places(data, findings, Safety.MANUAL) == announced(data, "left")
    done = edits.apply(data, findings)
    assert not done.skipped
    assert done.result.decode() == path.with_suffix(".hip").read_text()
    assert not guard.new_fault("case.cu", data, done.result, done.placed, code=True)


@pytest.mark.parametrize("path", CASES, ids=name)
def test_a_second_run_changes_nothing(path: Path) -> None:
    data = path.with_suffix(".hip").read_bytes()
    assert edits.apply(data, found(data, "case.hip")).result == data


def test_every_large_family_has_a_case() -> None:
    families = {path.parent.name for path in CASES}
    assert families >= {
        *("runtime", "driver", "cublas", "cusparse", "cusolver", "cufft", "curand", "cub", "thrust", "nccl"),
        *("bf16", "fp8", "nvtx", "nvrtc", "torch", "wmma", "cucomplex", "cudnn", "cooperative_groups"),
    }
