"""Folders, archives and git addresses as repositories; archives that try to leave their folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from hipport.batch import sources
from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def files(source: object) -> list[str]:
    with sources.folder(sources.Repository("r", str(source))) as root:
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if ".git" not in path.parts)


def test_names_are_the_shortest_that_tell_repositories_apart(tmp_path: Path) -> None:
    listing = tmp_path / "list.txt"
    listing.write_text("# a comment\nhttps://host/b/x.git\n\n/c/x  # why\n/a/y\n")
    named = sources.listed(["/a/y"], listing)
    assert [(r.name, r.source) for r in named] == [("y", "/a/y"), ("b/x", "https://host/b/x.git"), ("c/x", "/c/x")]
    with pytest.raises(UsageError, match="no repository"):
        sources.listed([], None)


def test_a_tar_archive_cannot_write_outside(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name in ("ok/k.cu", "../evil.cu", "/abs.cu", "ok/../../evil2.cu"):
            item = tarfile.TarInfo(name)
            item.size = 3
            packed.addfile(item, io.BytesIO(b"abc"))
        link = tarfile.TarInfo("ok/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    assert files(path) == ["ok", "ok/k.cu"]
    assert not (tmp_path / "evil.cu").exists()


def test_a_zip_archive_cannot_write_outside(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("d/k.cu", "x")
        packed.writestr("../evil.cu", "x")
    assert files(path) == ["d", "d/k.cu"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08 broken"])
def test_a_damaged_archive_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.tar.gz"
    path.write_bytes(content)
    with pytest.raises(HipportError, match=r"bad\.tar\.gz"):
        files(path)


def test_a_git_address_is_cloned_and_a_wrong_one_is_an_error(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    (there / "k.cu").write_text("x")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "x")):
        subprocess.run(["git", *who, "-C", str(there), *command], check=True)
    assert files(there.as_uri()) == ["k.cu"]
    with pytest.raises(HipportError, match="git"):
        files((tmp_path / "nowhere").as_uri())
    with pytest.raises(HipportError, match="no folder"):
        files(tmp_path / "nowhere")
