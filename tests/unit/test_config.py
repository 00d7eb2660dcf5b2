"""Settings: the nearest file, checked with file and line; options win."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hipport.config import Config, Launch, Stage, Style, load, merged
from hipport.errors import DataError, ExitCode, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert load(tmp_path) == Config()


def test_pyproject_and_hipport_toml_of_the_nearest_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.hipport]\ntarget = "gfx90a"\nonly = ["rename", "build"]\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/k.cu").touch()
    assert load(tmp_path / "src/k.cu").targets == ("gfx90a",)
    assert load(tmp_path).only == (Stage.RENAME, Stage.BUILD)
    (tmp_path / "src/hipport.toml").write_text('launch = "ggl"\nvendored = true\njobs = 3\n')
    config = load(tmp_path / "src")
    assert (config.targets, config.launch, config.vendored, config.jobs) == (Config().targets, Launch.GGL, True, 3)


def test_the_search_ends_at_the_top_of_the_work_tree(tmp_path: Path) -> None:
    (tmp_path / "hipport.toml").write_text("jobs = 3\n")
    (tmp_path / "repo/.git").mkdir(parents=True)
    assert load(tmp_path / "repo") == Config()


def test_a_project_without_our_table_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "hipport.toml").write_text("jobs = 3\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert load(tmp_path / "a").jobs == 3


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[project]\nname = "x"\n[tool.hipport]\nrocm = "7.2"\ntargets = "gfx90a"\n', 5, "unknown key `targets`"),
        ('[tool.hipport]\n"target" = "sm_90"\n', 2, "`sm_90` is no AMD target"),
        ("[tool.hipport]\n\njobs = -1\n", 3, "`jobs` is a number"),
        ("[tool.hipport]\njobs = true\n", 2, "`jobs` is a number"),
        ('[tool.hipport]\nstyle = "both"\n', 2, "`style` is one of hip, dual, not `both`"),
        ('[tool.hipport]\nonly = "rename,fix"\n', 2, "`only` is one of"),
        ("[tool.hipport]\nselect = [1]\n", 2, "`select` is a list of words"),
        ('[tool.hipport]\nrocm = "seven"\n', 2, "`rocm` is a version"),
        ("[tool.hipport]\nrocm = 7.2\n", 2, "`rocm` is a version"),
        ('[tool.hipport]\noptimize = "yes"\n', 2, "`optimize` is true or false"),
        ("[tool.hipport]\ntarget = []\n", 2, "names no target"),
        ("[tool.hipport]\nx =\n", 2, "no valid TOML"),
    ],
)
def test_faults_name_file_and_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=said) as caught:
        load(tmp_path)
    assert caught.value.where == f"{path.resolve()}:{line}"
    assert caught.value.exit_code is ExitCode.USAGE


def test_options_win_and_what_was_not_given_stays() -> None:
    config = merged(Config(rocm="6.4", jobs=2), {"target": "gfx950, gfx950,gfx942", "rocm": None, "style": Style.DUAL})
    assert config == Config(targets=("gfx950", "gfx942"), rocm="6.4", jobs=2, style=Style.DUAL)
    with pytest.raises(UsageError):
        merged(Config(), {"rocm": "x"})
