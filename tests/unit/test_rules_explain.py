"""`hipport explain`: names, headers, HIP names, rule ids, near misses, JSON and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from hipport import api
from hipport.cli import main
from hipport.model import RenameRule
from hipport.renames.explain import Explanation
from hipport.renames.pages import PAGES
from hipport.renames.rules import read_rules
from hipport.report.explanation import SCHEMA, explanation_text
from hipport.resources import data_dir

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        main(["explain", *words])
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    out = capsys.readouterr()
    return code, out.out, out.err


def test_a_renamed_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "cudaMemcpyToSymbol")
    assert code == 0
    assert not err
    for words in (
        "cudaMemcpyToSymbol -> hipMemcpyToSymbol",
        "safe",
        "hip/hip_runtime_api.h",
        "since ROCm",
        "also: argument 1 is written HIP_SYMBOL(...)",
    ):
        assert words in out


def test_a_difference_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "CUBLAS_OP_N")
    assert "review" in out
    assert "the value is 111, CUDA's is 0" in out


def test_what_to_do_where_hip_has_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "cudaD3D9GetDevice")
    assert code == 0
    assert "no HIP counterpart" in out
    assert "instead:" in out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("<cub/block/block_reduce.cuh>", "<hipcub/block/block_reduce.hpp>"),
        ('"cublas_v2.h"', "<hipblas/hipblas.h>"),
        ("cutlass/gemm/device/gemm.h", "Composable Kernel"),
        ("cub::BlockReduce", "hipcub::BlockReduce"),
        ("cub::NoSuchThing", "declare no `hipcub::NoSuchThing`"),
        ("thrust::sort", "spelled alike in HIP"),
        ("cuda::atomic", "ROCm 10.1"),
        ("at::cuda::getCurrentCUDAStream", "hipify v2"),
        ("nppiFilter_8u_C1R", "RPP"),
        ("sinf", "spelled alike in HIP"),
        ("hipMalloc", "stands for cuMemAlloc, cuMemAlloc_v2, cudaMalloc"),
        ("cooperative_groups::reduce", "shim"),
    ],
)
def test_other_kinds_of_names(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, name)
    assert code == 0
    assert words in out


def test_a_rule_is_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "ballot-width")[1].startswith("# ballot-width")
    for name, page in PAGES.items():
        assert said(capsys, name)[:2] == (0, page + "\n")


def test_a_path_is_no_rule() -> None:
    assert api.explain("../rewrites/ballot-width").kind == "unknown"


def test_a_near_miss_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "cudaMaloc")
    assert code == 1
    assert not out
    assert "cudaMalloc" in err
    code, _, err = said(capsys, "zzzzzz")
    assert code == 1
    assert "did you mean" not in err


def test_rocm_chooses(capsys: pytest.CaptureFixture[str]) -> None:
    assert "came with ROCm 10.0" in said(capsys, "cublasGetVersion")[1]
    assert "-> hipblasGetVersion" in said(capsys, "cublasGetVersion", "--rocm", "10.0")[1]
    assert said(capsys, "cudaMalloc", "--rocm", "x")[0] == 2


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "CUBLAS_OP_N", "--json")
    value = json.loads(out)
    assert code == 0
    assert (value["schema"], value["kind"], value["rocm"]) == (SCHEMA, "rename", "7.2")
    assert value["rules"][0]["hip"] == "HIPBLAS_OP_N"
    assert value["difference"] == "the value is 111, CUDA's is 0"
    code, out, err = said(capsys, "cudaMaloc", "--json")
    value = json.loads(out)
    assert code == 1
    assert err
    assert (value["kind"], value["rules"]) == ("unknown", [])
    assert "cudaMalloc" in value["suggestions"]


@pytest.mark.parametrize("name", ["cudaMalloc", "cudaMaloc", "hipMalloc", "ballot-width", "cutlass/a.h"])
def test_json_keeps_to_its_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((SCHEMAS / "explain-1.json").read_text())
    Draft202012Validator(schema).validate(json.loads(said(capsys, name, "--json")[1]))


def test_every_action_is_told_in_words() -> None:
    for rule, _, _ in read_rules(data_dir("rules")):
        if rule.action:
            text = explanation_text(Explanation(rule.cuda, "7.2", "rename", (rule,)))
            (also,) = [line for line in text.splitlines() if line.startswith("  also: ")]
            assert not re.search(r"\b(?:\w+_\w+:\d|[a-z]+:\d|by_name)|\{", also)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("hip_symbol:0", "argument 1 is written HIP_SYMBOL(...)"),
        ("reinterpret:1:const void*", "argument 2 is cast to `const void*`"),
        ("spelled:17:A=B,C=D", "as argument 18 A becomes B, C becomes D"),
        ("named:2=f; added:2=0", "with 2 arguments it is `f`; `0` is added to a call with 2 arguments"),
        ("typed:3:cudaMemLocation=f", "where argument 4 is a `cudaMemLocation` it is `f`"),
        ("arity:2-5", "safe with 2 to 5 arguments"),
        ("fields:a,b", "safe in a file that names none of the fields a, b"),
    ],
)
def test_an_action_in_words(action: str, words: str) -> None:
    rule = RenameRule("cudaX", "hipX", "function", "runtime", action=action)
    assert f"  also: {words}\n" in explanation_text(Explanation("cudaX", "7.2", "rename", (rule,)))
