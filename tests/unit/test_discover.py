"""Which files a port reads, copies and leaves out."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport.config import Style
from hipport.errors import UsageError
from hipport.porting.includes import Index, respelled, spellings
from hipport.porting.links import plan_links
from hipport.porting.names import plan_names
from hipport.source import discover as walk
from hipport.source.discover import discover
from hipport.source.filetypes import hip_name, is_code, suffix_of

if TYPE_CHECKING:
    from pathlib import Path

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")


def make(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


def paths(root: Path, skip: Path | None = None) -> list[str]:
    return [entry.path for entry in discover(root, skip=skip).entries]


def test_the_order_is_that_of_the_bytes_of_the_paths(tmp_path: Path) -> None:
    make(tmp_path, "b.cu", "a/z.cu", "a.cu", "B.cu", "ä.cu")
    assert paths(tmp_path) == ["B.cu", "a.cu", "a/z.cu", "b.cu", "ä.cu"]


def test_gitignore_holds_at_every_level_and_the_inner_word_wins(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    make(tmp_path, "k.cu", "gen/a.cu", "sub/gen/b.cu", "sub/keep/c.log", "sub/d.log", "e.log", "sub/only.cu")
    (tmp_path / ".gitignore").write_text("/gen/\n*.log\n")
    (tmp_path / "sub/.gitignore").write_text("only.cu\n!keep/*.log\n")
    found = paths(tmp_path)
    assert [p for p in found if not p.endswith(".gitignore")] == ["k.cu", "sub/gen/b.cu", "sub/keep/c.log"]


def test_ignores_from_above_hold_for_a_subfolder_unless_it_is_ignored_itself(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.log\n/out/\n")
    make(tmp_path, "src/k.cu", "src/a.log", "out/k.cu", "out/a.log")
    assert paths(tmp_path / "src") == ["k.cu"]
    assert paths(tmp_path / "out") == ["a.log", "k.cu"]


@needs_git
def test_what_is_tracked_is_not_ignored(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "build/kept.cu", "build/not.cu", "k.cu")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "add", "-f", "build/kept.cu", "k.cu")
    assert [p for p in paths(tmp_path) if p != ".gitignore"] == ["build/kept.cu", "k.cu"]


def test_a_repository_that_names_a_program_does_not_run_it(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    git(tmp_path, "init", "-q")
    mark = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(script))
    make(tmp_path, "k.cu")
    discover(tmp_path)
    assert not mark.exists()


def test_made_folders_and_the_output_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "k.cu", "venv/pyvenv.cfg", "venv/x.cu", "build/CMakeCache.txt", "old/.hipport/map.json", "old/k.hip")
    make(tmp_path, "out/k.hip", "node_modules/x.cu", "__pycache__/x.pyc")
    tree = discover(tmp_path, skip=tmp_path / "out")
    assert [e.path for e in tree.entries] == ["k.cu"]
    assert [(o.path, o.reason) for o in tree.left_out] == [
        ("build/", "made by a tool (CMakeCache.txt)"),
        ("old/", "made by a tool (.hipport/map.json)"),
        ("venv/", "made by a tool (pyvenv.cfg)"),
    ]


def test_vendored_code_is_told_by_its_folder_submodules_and_nested_repositories(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitmodules").write_text('[submodule "glm"]\n\tpath = libs/glm\n\turl = x\n')
    make(tmp_path, "third_party/a.cu", "libs/glm/b.h", "libs/own.cu", "nested/.git/HEAD", "nested/c.cu", "src/d.cu")
    vendored = {entry.path for entry in discover(tmp_path).entries if entry.vendored}
    assert vendored == {"third_party/a.cu", "libs/glm/b.h", "nested/c.cu"}


def test_links_are_told_by_where_they_lead(tmp_path: Path) -> None:
    make(tmp_path, "tree/k.cu", "tree/sub/x.cu", "outside/secret.cu")
    tree = tmp_path / "tree"
    (tree / "inside.cu").symlink_to("k.cu")
    (tree / "folder").symlink_to("sub")
    (tree / "out.cu").symlink_to("../outside/secret.cu")
    (tree / "absolute.cu").symlink_to(tree / "k.cu")
    (tree / "loop").symlink_to("loop")
    (tree / "dangling").symlink_to("nothing")
    found = discover(tree)
    assert [e.path for e in found.entries] == ["k.cu", "sub/x.cu"]
    assert {link.path: link.target for link in found.links} == {
        "absolute.cu": "", "dangling": "", "folder": "sub", "inside.cu": "k.cu", "loop": "", "out.cu": "",
    }  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "k.cu")
    tree = discover(tmp_path)
    assert not tree.entries
    assert [o.path for o in tree.left_out] == ["k.cu"]
    with pytest.raises(OSError, match="regular"):
        walk.read(tmp_path, "k.cu")
    with pytest.raises(UsageError):
        walk.single(tmp_path / "k.cu")


def test_a_file_swapped_for_a_link_is_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "secret")
    (tmp_path / "k.cu").symlink_to("secret")
    with pytest.raises(OSError, match=r"k\.cu"):
        walk.read(tmp_path, "k.cu")


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("k.cu", ".cu"), ("k.CU", ".cu"), ("k.cu.j2", ".cu"), ("k.h.in", ".h"), (".cu", ""), ("cu", ""), ("a.b/c", "")],
)
def test_suffixes(name: str, suffix: str) -> None:
    assert suffix_of(name) == suffix


def test_names_of_ports() -> None:
    assert hip_name("a/k.cu") == "a/k.hip"
    assert hip_name("a/k.cu.j2") == "a/k.hip.j2"
    assert hip_name("K.CU") == "K.hip"
    assert is_code("x/k.cuh")
    assert not is_code("x/k.py")


def test_a_taken_name_is_left_to_its_owner() -> None:
    names = plan_names(["gemm.cu", "gemm.CU"], ["gemm.cu", "gemm.CU", "gemm.hip", "gemm.cu.hip"], Style.HIP)
    assert names.renamed == {"gemm.cu": "gemm.cu.2.hip", "gemm.CU": "gemm.CU.hip"}
    assert set(names.findings) == {"gemm.cu", "gemm.CU"}
    assert "`gemm.hip` exists and is not hipport's" in names.findings["gemm.cu"].message


def test_both_vendors_keep_one_name() -> None:
    assert plan_names(["k.cu"], ["k.cu"], Style.DUAL).renamed == {}


def test_includes_resolve_beside_first_then_by_the_nearest_tail() -> None:
    index = Index(["a/k.h", "b/k.h", "include/lib/k.h", "cuda_runtime.h", "a/x.cu"], {b"cuda_runtime.h"})
    assert index.resolve("a/x.cu", '"k.h"') == "a/k.h"
    assert index.resolve("b/sub/x.cu", '"k.h"') == "b/k.h"
    assert index.resolve("b/x.cu", "<lib/k.h>") == "include/lib/k.h"
    assert index.resolve("b/x.cu", '"../a/k.h"') == "a/k.h"
    assert index.resolve("a/x.cu", "<cuda_runtime.h>") is None
    assert index.resolve("x.cu", '"cuda_runtime.h"') == "cuda_runtime.h"
    assert index.resolve("a/x.cu", '"cuda_runtime.h"') is None
    assert index.resolve("a/x.cu", "<vector>") is None


def test_operands_are_read_and_respelled_with_their_folder() -> None:
    assert spellings(b'#include "a/k.cu"\r\n  #  include <b.h>\n// x\n#include "a/k.cu"\n') == ('"a/k.cu"', "<b.h>")
    assert respelled('"../a/k.cu"', "k.hip") == '"../a/k.hip"'
    assert respelled("<k.cu>", "k.hip") == "<k.hip>"


def test_links_follow_a_renamed_source(tmp_path: Path) -> None:
    make(tmp_path, "src/k.cu", "src/h.h")
    (tmp_path / "l.cu").symlink_to("src/k.cu")
    (tmp_path / "h.h").symlink_to("src/h.h")
    (tmp_path / "d").symlink_to("src")
    planned = plan_links(discover(tmp_path).links, ["src/k.cu", "src/h.h"], {"src/k.cu": "src/k.hip"})
    assert [(p.path, p.text) for p in planned] == [("d", "src"), ("h.h", "src/h.h"), ("l.hip", "src/k.hip")]
