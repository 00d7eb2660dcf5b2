"""The compiled rules, the table by name, ROCm versions, a repository's own rules."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hipport import resources
from hipport.errors import DataError, HipportError, UsageError
from hipport.model import RenameRule, Safety
from hipport.renames import compiled
from hipport.renames.table import RuleMap, load, parse_version
from hipport.renames.user import user_rules
from hipport.resources import data_dir

if TYPE_CHECKING:
    from pathlib import Path


def rule(cuda: str, hip: str, kind: str = "function", **more: str) -> RenameRule:
    status = "identity" if cuda == hip else "mapped" if hip else "unsupported"
    return RenameRule(cuda, hip, kind, "f", status=status, **more)  # type: ignore[arg-type]


def table_of(*rules: RenameRule, version: tuple[int, ...] = (7, 2)) -> dict[str, RuleMap]:
    notes, bodies = compiled.sections(compiled.compile_rules(rules))
    return {name: RuleMap(body, notes, version) for name, body in zip(compiled.SECTIONS, bodies, strict=True)}


def test_compiled_rules_come_back_whole_and_do_not_depend_on_their_order() -> None:
    rules = [
        rule("cudaA", "hipA", note="a\tnote\nof two lines", action="hip_symbol:0", since="1.5"),
        rule("a.h", "hip/a.h", "include"),
        rule("cub", "hipcub", "namespace"),
        rule("cub::X", "", "template", note="none"),
        rule("sinf", "sinf", "device"),
        rule("npp*", "", "prefix", note="none"),
    ]
    assert compiled.compile_rules(rules) == compiled.compile_rules(reversed(rules))
    maps = table_of(*rules)
    back = maps["names"][b"cudaA"]
    assert back.note == "a note of two lines"
    assert (back.hip, back.action, back.since) == ("hipA", "hip_symbol:0", "1.5")
    sizes = {name: len(found) for name, found in maps.items()}
    assert sizes == {"names": 1, "includes": 1, "namespaces": 1, "qualified": 1, "identities": 1, "prefixes": 1}


def test_a_damaged_file_is_an_error() -> None:
    with pytest.raises(HipportError, match="damaged"):
        compiled.sections(b"something else")
    with pytest.raises(HipportError, match="damaged"):
        compiled.sections(compiled.compile_rules([]).replace(b"\f\n", b"", 1))


def test_a_header_below_a_starred_one_is_known() -> None:
    includes = table_of(
        rule("cuda/*", "cuda/*", "include", since="10.1"),
        rule("cutlass/*", "", "include", note="n"),
        rule("cutlass/version.h", "x.h", "include"),
        version=(10, 1),
    )["includes"]
    assert includes[b"cuda/std/atomic"].hip == "cuda/std/atomic"
    assert includes[b"cutlass/gemm/device/gemm.h"].status == "unsupported"
    assert includes[b"cutlass/version.h"].hip == "x.h"
    assert b"cutlass/a.h" in includes
    assert b"cutlas/a.h" not in includes
    with pytest.raises(KeyError):
        includes[b"cutlas/a.h"]


@pytest.mark.parametrize(
    ("rocm", "hip"),
    [("5.0", ""), ("6.2", "hipA"), ("7.2", "hipA"), ("9", "hipA"), ("10", ""), ("10.0", ""), ("11.2", "")],
)
def test_a_name_exists_between_since_and_until(rocm: str, hip: str) -> None:
    names = table_of(rule("cudaA", "hipA", since="6.0.2", until="10.0"), version=parse_version(rocm))["names"]
    found = names[b"cudaA"]
    assert found.hip == hip
    if not hip:
        assert found.safety is Safety.MANUAL
        assert "`hipA`" in found.note


def test_an_identity_of_a_later_release_is_no_identity_before() -> None:
    maps = table_of(rule("cuda::atomic", "cuda::atomic", "template", since="10.1", note="n"))
    assert maps["qualified"][b"cuda::atomic"].status == "unsupported"
    assert not maps["identities"]


def test_an_older_release_without_a_known_date_is_for_review() -> None:
    entry = rule("cudaA", "hipA", header="hip/a.h")
    assert table_of(entry, version=(6, 0))["names"][b"cudaA"].safety is Safety.REVIEW
    assert table_of(entry, version=(7, 2))["names"][b"cudaA"].safety is Safety.SAFE


def test_a_version_is_checked() -> None:
    with pytest.raises(UsageError, match="no ROCm version"):
        load("seven")


def test_the_shipped_table_answers() -> None:
    table = load("7.2")
    assert table.names[b"cudaMalloc"].hip == "hipMalloc"
    assert table.names[b"cublasSgemm_v2"].hip == "hipblasSgemm"
    assert table.names[b"cudaMemcpyToSymbol"].action == "hip_symbol:0"
    assert table.names[b"cudaD3D9GetDevice"].hip == ""
    assert table.includes[b"cublas_v2.h"].hip == "hipblas/hipblas.h"
    assert table.includes[b"cub/block/block_reduce.cuh"].hip == "hipcub/block/block_reduce.hpp"
    assert table.includes[b"c10/cuda/CUDAGuard.h"].hip == "c10/hip/HIPGuard.h"
    assert table.includes[b"ATen/cuda/CUDAContext.h"].hip == "ATen/hip/HIPContext.h"
    assert table.namespaces[b"cub"].hip == "hipcub"
    assert table.namespaces[b"thrust::cuda"].hip == "thrust::hip"
    assert table.identities[b"sinf"].status == "identity"
    assert b"sinf" not in table.names
    assert b"at::cuda" not in table.namespaces
    assert table.prefixes[b"nppiFilter_8u_C1R"].family == "npp"


def test_rocm_chooses() -> None:
    assert load("7.2").names[b"cublasGetVersion"].status == "unsupported"
    assert load("10.0").names[b"cublasGetVersion"].hip == "hipblasGetVersion"
    assert load("4.0").names[b"cudaMallocAsync"].status == "unsupported"


def test_a_rule_of_the_user_wins_and_a_later_one_over_an_earlier() -> None:
    mine = (rule("cudaMalloc", "first"), rule("cudaMalloc", "my_malloc"), rule("my.h", "other.h", "include"))
    table = load("7.2", mine)
    assert table.names[b"cudaMalloc"].hip == "my_malloc"
    assert table.includes[b"my.h"].hip == "other.h"
    assert load("7.2").names[b"cudaMalloc"].hip == "hipMalloc"


def test_loading_a_compiled_table_reads_no_yaml() -> None:
    load()
    code = "import sys; from hipport.renames.table import load; load(); print('yaml' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert out.strip() == "False"


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    resources._keep(blocked / "rules-x.tsv", b"data", "rules-*.tsv")
    assert blocked.read_text() == ""
    resources._keep(tmp_path / "cache/rules-x.tsv", b"data", "rules-*.tsv")
    resources._keep(tmp_path / "cache/rules-y.tsv", b"more", "rules-*.tsv")
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["rules-y.tsv"]
    monkeypatch.setattr(compiled, "data_dir", lambda _: data_dir("rules"))
    assert compiled.compiled_rules().startswith(compiled.FORMAT)


def write(folder: Path, name: str, text: str) -> Path:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_rules_of_hipport_toml_by_priority(tmp_path: Path) -> None:
    write(
        tmp_path,
        "hipport.toml",
        'rocm = "7.2"\n[[rules]]\ncuda = "myA"\nhip = "hipA2"\npriority = 5\n'
        '[[rules]]\ncuda = "myA"\nhip = "hipA1"\n[[rules]]\ncuda = "my/a.h"\nhip = "b.h"\n'
        '[[rules]]\ncuda = "myB"\nnote = "by hand"\n',
    )
    rules = user_rules(tmp_path)
    assert [(r.cuda, r.hip, r.kind, r.family) for r in rules if r.cuda == "myA"] == [
        ("myA", "hipA1", "function", "user"),
        ("myA", "hipA2", "function", "user"),
    ]
    assert load("7.2", rules).names[b"myA"].hip == "hipA2"
    assert load("7.2", rules).includes[b"my/a.h"].hip == "b.h"
    assert load("7.2", rules).names[b"myB"].status == "unsupported"


def test_rules_of_pyproject(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.hipport]\n[[tool.hipport.rules]]\ncuda = "a"\nhip = "b"\n')
    assert [(r.cuda, r.hip) for r in user_rules(tmp_path)] == [("a", "b")]


def test_mappings_of_hipify_torch_come_first(tmp_path: Path) -> None:
    write(tmp_path, "custom_hipify_mappings.json", '{"custom_map": {"a": "json", "x/y.h": "z.h", "ns::c": "ns::d"}}')
    write(tmp_path, "hipport.toml", '[[rules]]\ncuda = "a"\nhip = "toml"\n')
    rules = user_rules(tmp_path)
    table = load("7.2", rules)
    assert table.names[b"a"].hip == "toml"
    assert table.includes[b"x/y.h"].hip == "z.h"
    assert table.qualified[b"ns::c"].hip == "ns::d"


@pytest.mark.parametrize(
    ("name", "text", "where", "words"),
    [
        ("hipport.toml", '\n[[rules]]\ncuda = "a"\n', "hipport.toml:2", "`note` must say"),
        ("hipport.toml", '[[rules]]\ncuda = "a"\nhip = "b"\n[[rules]]\ncuda = 1\n', "hipport.toml:4", "must be text"),
        ("hipport.toml", '[[rules]]\ncuda = "a"\nhip = "b"\npriority = "x"\n', "hipport.toml:1", "whole number"),
        ("hipport.toml", 'rules = "x"\n', "hipport.toml", "list of tables"),
        ("custom_hipify_mappings.json", "{\n", "custom_hipify_mappings.json:2", "no valid JSON"),
        ("custom_hipify_mappings.json", "[]", "custom_hipify_mappings.json", "no `custom_map`"),
        ("custom_hipify_mappings.json", '{"custom_map": {"a": 1}}', "custom_hipify_mappings.json", "must be text"),
    ],
)
def test_a_wrong_rule_of_the_user_names_its_place(tmp_path: Path, name: str, text: str, where: str, words: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(DataError) as caught:
        user_rules(tmp_path)
    assert caught.value.where == str(path.parent / where)
    assert words in str(caught.value)


def test_no_rules_of_ones_own_are_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert user_rules(tmp_path) == ()
