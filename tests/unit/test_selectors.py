"""The words by which findings are selected and ignored."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import hipport
from hipport import api
from hipport.config import Config
from hipport.errors import UsageError
from hipport.porting import selectors
from hipport.renames.pages import PAGES
from hipport.rewrites.rule import rules

ROOT = Path(hipport.__file__).parent
_ID = re.compile(r"[a-z]+(?:-[a-z]+)+")
_MAKERS = {"Finding", "edited", "left", "finding", "advice", "Hit", "_told", "_finding"}


def ids() -> dict[str, str]:
    """Rule id -> a file that makes a finding of it."""
    found = {}
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(node, ast.Call):
                continue
            named = [k.value for k in node.keywords if k.arg == "rule"]
            makes = getattr(node.func, "id", getattr(node.func, "attr", "")) in _MAKERS
            for value in (*named, *(node.args[:2] if makes else ())):
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and _ID.fullmatch(value.value):
                    found[value.value] = path.name
    return found


def test_every_rule_has_a_page() -> None:
    known = PAGES.keys() | {rule.id for rule in rules()}
    assert {"build-arch", "own-branch", "torch-inline-source", "unused-ignore"} <= ids().keys()
    assert {rule: file for rule, file in ids().items() if rule not in known} == {}


@pytest.mark.parametrize(
    "word", ["warp", "ballot-width", "rename", "cublas", "build", "guard", "cooperative_groups", "user"]
)
def test_ids_and_families_are_known(word: str, tmp_path: Path) -> None:
    (tmp_path / "hipport.toml").write_text('[[rules]]\ncuda = "myAlloc"\nhip = "hipAlloc"\n')
    selectors.check([word], tmp_path)


def test_a_word_that_is_none_is_refused_with_what_it_may_have_meant(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k() {}\n")
    with pytest.raises(UsageError, match="no rule or family `ballot-widht`") as refused:
        api.port(tmp_path, config=Config(select=("ballot-widht",)))
    assert "`ballot-width`" in refused.value.next_step
    with pytest.raises(UsageError, match="no rule or family `nonsense`") as refused:
        api.check([tmp_path], ignore=("nonsense",))
    assert "families are atomics," in refused.value.next_step


def test_a_word_of_a_settings_file_is_refused_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hipport.toml").write_text('[check.per-path-ignores]\n"*.cu" = ["*", "warps"]\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no rule or family `warps`"):
        api.check([tmp_path])
