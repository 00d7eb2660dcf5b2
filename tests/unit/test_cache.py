"""The cache folder: what is in it, what goes, what stays."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from hipport import cachedir
from hipport.cli import app

DAY = 86_400
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "cache-1.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with an old and a new entry of each form."""
    monkeypatch.setenv("HIPPORT_CACHE", str(tmp_path))
    ages = {
        "parses/ab/old": 40, "parses/ab/new": 1, "prelude-1.pch": 40, "torch-2.13.0+cpu.lock": 40,
        "extension/builds/one/a.o": 40, "extension/builds/one/deep/b.o": 3, "extension/builds/two/a.o": 40,
        "verified/proof.json": 400,
    }  # fmt: skip
    for name, days in ages.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * 100)
        os.utime(path, (time.time() - days * DAY,) * 2)
    return tmp_path


def left(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_that_goes_as_a_whole_is_as_young_as_its_youngest_file(folder: Path) -> None:
    found = {entry.path.relative_to(folder).as_posix(): (entry.kind, entry.size) for entry in cachedir.entries(folder)}
    assert found == {
        "parses/ab/old": ("parses", 100),
        "parses/ab/new": ("parses", 100),
        "prelude-1.pch": ("prelude", 100),
        "extension/builds/one": ("extension", 200),
        "extension/builds/two": ("extension", 100),
    }


def test_what_was_not_used_goes_and_proofs_stay(folder: Path) -> None:
    kept = {"parses/ab/new", "torch-2.13.0+cpu.lock", "extension/builds/one/a.o", "extension/builds/one/deep/b.o"}
    run = CliRunner().invoke(app, ["cache", "--prune", "--json"])
    assert left(folder) == kept | {"verified/proof.json"}
    answer = json.loads(run.output)
    jsonschema.validate(answer, json.loads(SCHEMA.read_text()))
    assert answer["removed"] == 300
    assert [(kind["name"], kind["entries"], kind["size"]) for kind in answer["kinds"]] == [
        ("extension", 1, 200),
        ("parses", 1, 100),
    ]
    shown = CliRunner().invoke(app, ["cache", "--prune", "--days", "0"]).output
    assert "removed: 0.0 MiB" in shown
    assert left(folder) == {"verified/proof.json", "torch-2.13.0+cpu.lock"}


def test_it_tidies_once_a_day_what_was_not_used_for_two_months(folder: Path) -> None:
    os.utime(folder / "prelude-1.pch", (time.time() - 70 * DAY,) * 2)
    before = left(folder)
    cachedir.tidy()
    assert before - left(folder) == {"prelude-1.pch"}
    (folder / "prelude-2.pch").write_bytes(b"")
    os.utime(folder / "prelude-2.pch", (time.time() - 70 * DAY,) * 2)
    cachedir.tidy()
    assert "prelude-2.pch" in left(folder)


def test_off_keeps_nothing_beyond_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HIPPORT_CACHE", "off")
    assert cachedir.writable() is None
    assert cachedir.root() == cachedir.root()
    assert cachedir.root().is_dir()
    monkeypatch.setenv("HIPPORT_CACHE", str(tmp_path / "new"))
    assert cachedir.writable() == tmp_path / "new"
    monkeypatch.delenv("HIPPORT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cachedir.root() == tmp_path / "hipport"


def test_an_empty_or_missing_cache_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HIPPORT_CACHE", str(tmp_path / "missing"))
    run = CliRunner().invoke(app, ["cache", "--prune"])
    assert run.exit_code == 0
    assert "0.0 MiB" in run.output
