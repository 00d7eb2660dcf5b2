"""The schema of rules/, and what is written there, held against the tables of names that ROCm has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from hipport.errors import DataError
from hipport.model import RenameRule, Safety
from hipport.renames.judge import BUILT_IN, CHECKED, arity, judge
from hipport.renames.names import HipName, HipNames, load_names
from hipport.renames.rules import parse_rules, read_rules
from hipport.resources import data_dir

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = data_dir("rules")


@pytest.fixture(scope="module")
def names() -> HipNames:
    return load_names(FOLDER)


@pytest.fixture(scope="module")
def rules() -> list[tuple[RenameRule, str, bool]]:
    return list(read_rules(FOLDER))


@pytest.fixture(scope="module")
def judged(rules: list[tuple[RenameRule, str, bool]], names: HipNames) -> list[tuple[RenameRule, str]]:
    return [(judge(rule, names, is_judged=is_judged), place) for rule, place, is_judged in rules]


def one(text: str) -> RenameRule:
    ((rule, line, _),) = parse_rules(text.encode(), "rules/x/y.yaml")
    assert line == text.count("\n", 0, text.index("- {")) + 1
    return rule


def test_a_file_gives_defaults_and_a_rule_wins_over_them() -> None:
    rule = one("family: f\nkind: function\nheader: a.h\nrules:\n- {cuda: cudaX, hip: hipX, since: 1.10, kind: type}\n")
    assert (rule.family, rule.kind, rule.header, rule.since) == ("f", "type", "a.h", "1.10")
    assert (rule.status, rule.safety) == ("mapped", Safety.SAFE)


def test_a_rule_without_a_hip_name_is_left_for_a_person() -> None:
    rule = one("family: f\nkind: function\nnote: write it by hand\nrules:\n- {cuda: cudaX}\n")
    assert (rule.hip, rule.status, rule.safety, rule.note) == ("", "unsupported", Safety.MANUAL, "write it by hand")


def test_the_same_name_on_both_sides_is_an_identity() -> None:
    assert one("family: f\nkind: device\nrules:\n- {cuda: sinf, hip: sinf}\n").status == "identity"


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        (4, "family: f\nkind: nonsense\nrules:\n- {cuda: a, hip: b}\n", "kind `nonsense`"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: a, hop: b}\n", "`hop`"),
        (5, "family: f\nkind: type\nrules:\n- {cuda: a, hip: b}\n- {cuda: c}\n", "`note` must say"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: a, hip: b, since: soon}\n", "`soon`"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: a, hip: b, safety: sure}\n", "`sure`"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: a, hip: b, action: 'hip_symbol:x'}\n", "hip_symbol:x"),
        (4, "family: f\nkind: type\nrules:\n- {hip: b}\n", "needs `cuda`"),
        (4, "kind: type\nnote: n\nrules:\n- {cuda: a}\n", "no family"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: a, cuda: b, hip: c}\n", "given twice"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: [a], hip: c}\n", "must be text"),
        (4, "family: f\nkind: type\nrules:\n- just words\n", "a rule is a mapping"),
        (4, "family: f\nkind: type\nrules:\n- {cuda: 'a*', hip: b}\n", "stands at the end of a prefix"),
        (3, "family: f\nkind: type\nruless:\n- {cuda: a, hip: b}\n", "`ruless`"),
        (5, "family: f\nkind: type\nrules:\n- {cuda: a, hip: b\n", "not YAML"),
        (1, "- a\n", "a rules file is a mapping"),
    ],
)
def test_an_error_names_file_and_line(line: int, text: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        list(parse_rules(text.encode(), "rules/x/y.yaml"))
    assert words in str(caught.value)
    assert caught.value.where == f"rules/x/y.yaml:{line}"


def test_a_name_given_twice_names_both_places(tmp_path: Path) -> None:
    (tmp_path / "rules/a").mkdir(parents=True)
    (tmp_path / "rules/b").mkdir()
    for folder in "ab":
        text = "family: f\nkind: type\nrules:\n- {cuda: cudaX, hip: hipX}\n"
        (tmp_path / f"rules/{folder}/t.yaml").write_text(text)
    with pytest.raises(DataError) as caught:
        list(read_rules(tmp_path / "rules"))
    assert "rules/a/t.yaml:4" in str(caught.value)
    assert caught.value.where == "rules/b/t.yaml:4"


def test_every_hip_name_that_a_rule_writes_exists(judged: list[tuple[RenameRule, str]], names: HipNames) -> None:
    lost = [
        f"{place}: {rule.hip}"
        for rule, place in judged
        if rule.kind in CHECKED
        and rule.status == "mapped"
        and rule.hip not in names.names
        and rule.hip not in names.added
        and rule.hip not in BUILT_IN
    ]
    assert not lost


def test_no_written_hip_name_is_in_no_release(judged: list[tuple[RenameRule, str]]) -> None:
    """The judge drops such a name; a rule that was written with one should not be."""
    assert not [place for rule, place in judged if "is in no ROCm release" in rule.note]


def test_identities_exist_too(judged: list[tuple[RenameRule, str]], names: HipNames) -> None:
    lost = [
        f"{place}: {rule.hip}"
        for rule, place in judged
        if rule.status == "identity" and rule.kind in CHECKED and rule.hip not in names.names
    ]
    assert len(lost) <= 12, lost  # macros of the build and of older releases


def test_every_header_that_a_rule_writes_exists(rules: list[tuple[RenameRule, str, bool]], names: HipNames) -> None:
    lost = [
        f"{place}: <{rule.hip}>"
        for rule, place, _ in rules
        if rule.kind == "include"
        and rule.status == "mapped"
        and rule.family != "torch"
        and not rule.hip.endswith("*")
        and rule.hip not in names.files
    ]
    assert not lost


def test_a_safe_rename_has_no_difference(judged: list[tuple[RenameRule, str]], names: HipNames) -> None:
    silent = [
        f"{place}: {rule.cuda}: {names.differences[rule.cuda]}"
        for rule, place in judged
        if rule.cuda in names.differences and rule.safety is Safety.SAFE and not rule.note
    ]
    assert not silent


def test_a_difference_is_named(judged: list[tuple[RenameRule, str]], names: HipNames) -> None:
    unnamed = [
        place
        for rule, place in judged
        if rule.hip and rule.cuda in names.differences and names.differences[rule.cuda] not in rule.note
    ]
    assert not unnamed


@pytest.mark.parametrize(
    "cuda",
    [
        "cudaDeviceProp",
        "cudaDevAttrComputeCapabilityMajor",
        "cudaDevAttrMaxSharedMemoryPerMultiprocessor",
        "curandCreateGenerator",
        "curand_init",
        "cudnnCreate",
        "CUBLAS_COMPUTE_32F_FAST_TF32",
        "__nv_fp8_e4m3",
        "CUdeviceptr",
        "cuModuleLoadData",
        "CUBLAS_OP_N",
    ],
)
def test_what_means_something_else_is_for_review(cuda: str, judged: list[tuple[RenameRule, str]]) -> None:
    (rule,) = [rule for rule, _ in judged if rule.cuda == cuda and rule.kind != "include"]
    assert rule.safety is Safety.REVIEW
    assert rule.note


def test_the_libraries_of_the_field_are_all_judged(judged: list[tuple[RenameRule, str]]) -> None:
    families = Counter(rule.family for rule, _ in judged)
    few = 19
    for family in (
        *("runtime", "driver", "nvrtc", "device", "cucomplex", "cublas", "cublaslt", "cusparse", "cusolver", "cufft"),
        *("curand", "cudnn", "cub", "nvtx", "nvml", "torch", "nccl", "fp8", "bf16", "libcudacxx", "cooperative_groups"),
        *("cusparselt", "thrust"),
    ):
        assert families[family] >= few, family
    for family in ("pipeline", "wmma", "cutensor", "npp", "nvjpeg", "cupti", "optix", "cutlass", "nvshmem"):
        assert families[family], family


def test_arity_counts_defaults_and_nested_commas() -> None:
    assert arity("int (float *, unsigned int =)") == (1, 2)
    assert arity("int ()") == (0, 0)
    assert arity("int (void (*)(int, int), T<a, b> =) | int (int)") == (1, 2)


def made(text: str, difference: str) -> RenameRule:
    names = HipNames({"hipX": HipName("hipX", "function", "hip/x.h", text)}, frozenset(), {}, frozenset(), {})
    found = HipNames(names.names, names.files, {}, frozenset(), {"cudaX": difference} if difference else {})
    return judge(RenameRule("cudaX", "hipX", "function", "f"), found, is_judged=False)


def test_a_difference_makes_a_rule_review_with_what_may_relax_it() -> None:
    rule = made("int (int, int =)", "it takes 2 arguments, CUDA's 3")
    assert (rule.safety, rule.action) == (Safety.REVIEW, "arity:1-2")
    assert made("7", "the value is 7, CUDA's is 8").action == "by_name"
    assert made("{a}", "HIP's has no field b, c").action == "fields:b,c"
    assert made("int (int)", "argument 1 is `int`, CUDA's is `float`").action == ""
    assert made("int (int)", "").safety is Safety.SAFE
    assert made("int (int)", "").header == "hip/x.h"


def test_another_value_in_a_later_release_is_told() -> None:
    names = HipNames({"hipX": HipName("hipX", "constant", "h", "7")}, frozenset(), {}, frozenset(), {}, {"hipX": "8"})
    rule = judge(RenameRule("cudaX", "hipX", "constant", "f"), names, is_judged=False)
    assert (rule.safety, rule.action, rule.note) == (Safety.REVIEW, "by_name", "the value is 8 in ROCm 10.0")


def test_a_persons_judgement_wins() -> None:
    names = HipNames({"hipX": HipName("hipX", "function", "hip/x.h", "")}, frozenset(), {}, frozenset(), {"cudaX": "d"})
    rule = RenameRule("cudaX", "hipX", "function", "f", note="as before")
    assert judge(rule, names, is_judged=True).safety is Safety.SAFE
    assert judge(rule, names, is_judged=True).note == "d; as before"


def test_a_name_of_the_later_release_only_has_a_since() -> None:
    added = {"hipNew": HipName("hipNew", "function", "", "")}
    names = HipNames({}, frozenset(), added, frozenset(), {})
    assert judge(RenameRule("cudaNew", "hipNew", "function", "f"), names, is_judged=False).since == "10.0"
    gone = judge(RenameRule("cudaOld", "hipOld", "function", "f", note="n"), names, is_judged=False)
    assert (gone.hip, gone.status, gone.safety) == ("", "unsupported", Safety.MANUAL)
    assert gone.note == "`hipOld` is in no ROCm release that the tables know; n"
