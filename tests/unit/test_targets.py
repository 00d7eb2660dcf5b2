"""The table of GPUs: complete where it must be, sourced, and never guessing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hipport import targets as table
from hipport.cli import app
from hipport.errors import DataError, UsageError
from hipport.targets import UnknownFactError, Vendor, load, target, targets

GOOD = """sources: {here: measured}
targets:
  gfx1:
    vendor: amd
    arch: one
    warp_size:
      value: 64
      source: [here]
    max_threads_per_block:
      value: 1024
      source: [here]
    lds_banks:
      value: null
      source: []
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "targets.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_target_has_the_numbers_that_rules_ask_for() -> None:
    for value in load().values():
        assert value.warp_size in {32, 64}
        assert value.lds_bytes >= 48 * 1024
        assert value.lds_granule % 128 == 0
        assert value.lds_per_cu_bytes >= value.lds_bytes
        assert value.max_threads_per_block == 1024


def test_every_value_names_a_source_that_is_explained() -> None:
    known = table.sources()
    facts = [(t.name, key, fact) for t in load().values() for key, fact in t.facts.items()]
    assert len(facts) > 500
    for name, key, fact in facts:
        assert fact.value is None or fact.source, f"{name}.{key}"
        assert set(fact.source) <= set(known)


def test_the_budgets_that_differ() -> None:
    assert (target("gfx942").lds_bytes, target("gfx950").lds_bytes) == (64 * 1024, 160 * 1024)
    assert target("sm_90").lds_dynamic_bytes > target("sm_90").lds_bytes
    assert target("gfx950").warp_size == 64
    assert target("gfx1100").warp_size == 32


def test_a_name_with_features_is_that_of_its_base() -> None:
    assert target("gfx90a:sramecc+:xnack-").name == "gfx90a"
    assert target("sm_90a").name == "sm_90"
    assert [t.name for t in targets(" gfx942, gfx950,gfx942 ")] == ["gfx942", "gfx950"]


@pytest.mark.parametrize("name", ["gfx000", "MI300X", "sm_1", "gfx942x", "", "gfx90a:", "gfx90a:xnack", "GFX942"])
def test_an_unknown_target_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        target(name)
    assert "gfx950" in str(caught.value)
    assert "sm_90" in str(caught.value)


def test_no_target_at_all_is_an_error() -> None:
    with pytest.raises(UsageError):
        targets(" , ")


def test_a_number_that_nobody_knows_is_refused_with_its_place() -> None:
    unknown = target("gfx1250")
    assert not unknown.knows("max_threads_per_cu")
    with pytest.raises(UnknownFactError) as caught:
        unknown.number("max_threads_per_cu")
    path, _, line = caught.value.where.rpartition(":")
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    assert "max_threads_per_cu" in lines[int(line) - 2]
    with pytest.raises(UnknownFactError):
        unknown.fact("no_such_fact")
    with pytest.raises(UnknownFactError):
        target("gfx950").number("atomics")


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("source: [here]\n    max", "source: [there]\n    max", 8, "there"),
        ("      value: 64\n      source: [here]\n", "      value: 64\n      source: []\n", 7, "no source"),
        ("      value: 64\n      source: [here]\n", "      value: 64\n", 7, "no list of sources"),
        ("value: 64", "value: -64", 7, "negative"),
        ("vendor: amd", "vendor: intel", 4, "vendor"),
        ("    arch: one\n", "", 4, "no `arch`"),
        ("    lds_banks:", "    warp_size:", 12, "given twice"),
        ("      value: null\n", "      value: null\n      guess: 3\n", 14, "unknown field `guess`"),
        ("    lds_banks:\n      value: null\n      source: []\n", "    lds_banks: {a: 3}\n", 12, "bare number"),
        ("sources: {here: measured}\n", "", 1, "`sources` is missing"),
        ("targets:", "targets: [1]\nother:", 2, "must be a mapping"),
    ],
)
def test_a_table_that_does_not_fit_says_where(tmp_path: Path, old: str, new: str, line: int, part: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(DataError) as caught:
        load(path)
    assert part in caught.value.what
    assert caught.value.where == f"{path}:{line}"


@pytest.mark.parametrize("text", ["", "a: [", "\t", "- 1\n", "sources: {}\ntargets:\n"])
def test_damaged_yaml_is_an_error_and_no_crash(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError):
        load(write(tmp_path, text))


def test_a_table_of_ones_own_is_read(tmp_path: Path) -> None:
    mine = target("gfx1", write(tmp_path, GOOD))
    assert mine.vendor is Vendor.AMD
    assert mine.warp_size == 64


def test_the_command_lists_and_explains() -> None:
    run = CliRunner().invoke
    listed = run(app, ["targets"])
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == 1 + len(load())
    assert "?" in listed.stdout  # gfx1250's dynamic LDS
    shown = run(app, ["targets", "gfx950", "sm_90"])
    assert "lds_max_per_block_static_bytes = 163840" in shown.stdout
    assert "sources:" in shown.stdout
    value = json.loads(run(app, ["targets", "gfx942", "--json"]).stdout)
    assert value["schema"] == 1
    assert value["targets"][0]["facts"]["warp_size"] == {
        "value": 64,
        "source": ["llvm22", "gpuspecs"],
        "note": "",
        "verified": True,
    }


def test_the_command_refuses_an_unknown_target() -> None:
    result = CliRunner().invoke(app, ["targets", "gfx1"])
    assert isinstance(result.exception, UsageError)
