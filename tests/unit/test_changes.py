"""Changed lines as git sees them, with names and contents that try to mislead."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport.errors import HipportError
from hipport.source import changes, git

if TYPE_CHECKING:
    from pathlib import Path


def run_git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    run_git(tmp_path, "init", "-q")
    run_git(tmp_path, "config", "diff.mnemonicPrefix", "true")
    (tmp_path / "a.cu").write_text("1\n2\n3\n4\n")
    run_git(tmp_path, "add", ".")
    run_git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def numbers(ranges: tuple[range, ...]) -> list[int]:
    return [line for lines in ranges for line in lines]


def test_changed_added_and_removed_lines(repository: Path) -> None:
    (repository / "a.cu").write_text("1\nTWO\n3\n+++ b/x\n")  # the last line looks like a header
    (repository / 'new\n"ä.cu').write_text("x\n")
    found = changes.changed_lines(repository, "HEAD", staged=False)
    assert numbers(found["a.cu"]) == [2, 4]
    assert 77 in found['new\n"ä.cu'][0]
    (repository / "a.cu").write_text("1\n4\n")
    assert numbers(changes.changed_lines(repository, "HEAD", staged=False)["a.cu"]) == [1, 2]


def test_only_what_is_staged(repository: Path) -> None:
    path = repository / "a.cu"
    path.write_text("ONE\n2\n3\n4\n")
    run_git(repository, "add", ".")
    path.write_text("ONE\n2\n3\nFOUR\n")
    assert numbers(changes.changed_lines(repository, "", staged=True)["a.cu"]) == [1]
    assert git.staged_content(repository, "a.cu") == b"ONE\n2\n3\n4\n"


def test_hostile_names_come_back_whole(repository: Path) -> None:
    name = 't\tab "q" \\ é\n.cu'
    (repository / name).write_text("x\n")
    run_git(repository, "add", ".")
    assert numbers(changes.changed_lines(repository, "", staged=True)[name]) == [1]


def test_a_base_that_is_no_commit_is_named(repository: Path) -> None:
    for base in ("nowhere", "--output=/tmp/x"):
        with pytest.raises(HipportError, match="is no commit here"):
            changes.changed_lines(repository, base, staged=False)
