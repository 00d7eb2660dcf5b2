"""Rewrites on the machine code of both big targets: the port with a rule gives what the port without it gives.

Cases are globbed: `x.run.toml` beside a rule's case `x.cu`. docs/rewrites.md has the format.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import executed
import pytest

from hipport.rewrites import rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.toolchain.compiler import Compiler

FOLDER = Path(rule.__file__).parent
RUNS = sorted(FOLDER.glob("*/cases/*.run.toml"))
TARGETS = ("gfx942", "gfx950")


def name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.name.removesuffix('.run.toml')}"


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[executed.Case], executed.Built]:
    """The port of a case without its rule, built for the first of its targets, once."""

    @functools.cache
    def built(path: Path) -> executed.Built:
        case, target = executed.read(path), executed.read(path).get("targets", TARGETS)[0]
        text = executed.ported(case, tmp_path_factory.mktemp("plain"), rule=False)
        return executed.Built(text, target, executed.build(case, text, target))

    return lambda case: built(case.path)


@pytest.mark.amd
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("path", RUNS, ids=name)
def test_a_rewrite_computes_what_the_code_computed(
    path: Path, target: str, amd: Compiler, plain: Callable[[executed.Case], executed.Built], tmp_path: Path
) -> None:
    del amd
    case = executed.read(path)
    if target not in case.get("targets", TARGETS):
        pytest.skip(f"the case is for {', '.join(case.get('targets', TARGETS))}")
    without = case.get("without", "same")
    text = executed.ported(case, tmp_path, rule=True)
    modules = {"with": executed.Built(text, target, executed.build(case, text, target))}
    if without != "none":
        modules["without"] = plain(case)
        assert text.read_bytes() != modules["without"].text.read_bytes(), "the rule changes nothing here"
    rows = executed.launched(case, modules, tmp_path)
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
