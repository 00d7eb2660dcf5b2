"""Rewrites on the machine code of both big targets: the port with a rule gives what the port without it gives.

Cases are globbed: `x.run.toml` beside a rule's case `x.cu`. docs/rewrites.md has the format.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import executed
import pytest

from hipport.rewrites import rule

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

FOLDER = Path(rule.__file__).parent
RUNS = sorted(FOLDER.glob("*/cases/*.run.toml"))
TARGETS = ("gfx942", "gfx950")


def name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.name.removesuffix('.run.toml')}"


@pytest.mark.amd
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("path", RUNS, ids=name)
def test_a_rewrite_computes_what_the_code_computed(path: Path, target: str, amd: Compiler, tmp_path: Path) -> None:
    del amd
    case = executed.read(path)
    if target not in case.get("targets", TARGETS):
        pytest.skip(f"the case is for {', '.join(case.get('targets', TARGETS))}")
    without = case.get("without", "same")
    texts = {"with": executed.ported(case, tmp_path, rule=True)}
    if without != "none":
        texts["without"] = executed.ported(case, tmp_path, rule=False)
        assert texts["with"].read_bytes() != texts["without"].read_bytes(), "the rule changes nothing here"
    modules = {word: executed.build(case, text, target) for word, text in texts.items()}
    rows = executed.launched(case, modules, target, tmp_path)
    assert rows
    assert without == "same" or any("want" in row for row in case.get("arg", [])), "it states no output"
    for row in rows:
        assert not row["fault"], row
        assert not row["stated"], row
        if without == "same":
            assert not row["plain_fault"], row
            assert not row["differs"], row
    if without == "differs":
        assert any(row["differs"] or row["plain_fault"] for row in rows), "the port without the rule is as right"
    for wanted in case.get("counts", []):
        if wanted.get("target", target) != target:
            continue
        row = next(row for row in rows if row["block"] == wanted["block"] and row["order"] == "in")
        assert counted(row["plain_counts"], wanted["name"]) == wanted["without"], (wanted, row["plain_counts"])
        assert counted(row["counts"], wanted["name"]) == wanted["with"], (wanted, row["counts"])


def counted(counts: dict[str, object], name: str) -> object:
    """A count by its name; `instructions.lds` is within a table."""
    found: object = counts
    for part in name.split("."):
        found = found[part]  # type: ignore[index]
    return found
