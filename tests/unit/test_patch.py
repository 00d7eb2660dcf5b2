"""The unified diff of a port is one that git takes."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport.model import Edit, Finding, Safety, Span, Status
from hipport.porting.patch import file_patch
from hipport.source import edits, sourcemap

if TYPE_CHECKING:
    from pathlib import Path

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")


def applied(folder: Path, name: str, data: bytes, patch: bytes) -> None:
    (folder / name).write_bytes(data)
    run = subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode() + patch.decode("latin-1")


def edited(data: bytes, changes: list[tuple[int, int, bytes]]) -> edits.Applied:
    made = []
    for start, end, text in changes:
        span = Span("k.cu", start, end)
        made.append(Finding("r", span, "m", Safety.SAFE, Status.RENAMED, "runtime", edits=(Edit(span, text),)))
    return edits.apply(data, made)


@needs_git
@pytest.mark.parametrize("seed", range(25))
def test_git_applies_the_patch_of_random_edits(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)  # noqa: S311  made-up edits
    lines = [bytes(chance.choice(b"abc \xe9\r") for _ in range(chance.randrange(8))) for _ in range(60)]
    data = b"\n".join(lines) + (b"\n" if seed % 2 else b"x")
    changes = []
    for _ in range(chance.randrange(1, 12)):
        start = chance.randrange(len(data) + 1)
        changes.append(
            (start, min(len(data), start + chance.randrange(10)), chance.choice((b"", b"Q", b"new\n", b"a\nb")))
        )
    done = edited(data, changes)
    if done.result == data:
        pytest.skip("these edits change nothing")
    mapped = sourcemap.mapped_edits(data, done.placed)
    applied(tmp_path, "k.cu", data, file_patch("k.cu", "k.hip", data, done.result, mapped))
    assert (tmp_path / "k.hip").read_bytes() == done.result
    assert not (tmp_path / "k.cu").exists()


@needs_git
@pytest.mark.parametrize("name", ["with space.cu", "line\nbreak.cu", 'quo"te.cu', "bäh.cu"])
def test_names_that_need_quotes(name: str, tmp_path: Path) -> None:
    data = b"cudaFree(p);\n"
    done = edited(data, [(0, 8, b"hipFree")])
    target = name.replace(".cu", ".hip")
    applied(
        tmp_path, name, data, file_patch(name, target, data, done.result, sourcemap.mapped_edits(data, done.placed))
    )
    assert (tmp_path / target).read_bytes() == b"hipFree(p);\n"


def test_a_hunk_shows_three_lines_of_context_and_only_what_changes() -> None:
    data = b"".join(b"line %d\n" % n for n in range(20))
    done = edited(data, [(data.index(b"line 9"), data.index(b"line 9") + 4, b"LINE")])
    patch = file_patch("k.h", "k.h", data, done.result, sourcemap.mapped_edits(data, done.placed))
    assert patch.decode().splitlines()[3:] == [
        "@@ -7,7 +7,7 @@",
        " line 6",
        " line 7",
        " line 8",
        "-line 9",
        "+LINE 9",
        " line 10",
        " line 11",
        " line 12",
    ]
