"""The only writer: atomic, locked, inside its folder, and never over what it did not write."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path

import pytest

from hipport.errors import HipportError, UsageError
from hipport.source import workspace
from hipport.source.sourcemap import MappedFile, SourceMap, load
from hipport.source.workspace import Written, opened, write_file


def test_a_new_file_is_written_with_its_mode_and_the_second_time_it_is_the_same(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as out:
        assert out.write("a/b.hip", b"x", 0o755).what is Written.WRITTEN
        inode = (tmp_path / "out/a/b.hip").stat().st_ino
        assert out.write("a/b.hip", b"x", 0o755).what is Written.SAME
    file = tmp_path / "out/a/b.hip"
    assert file.stat().st_ino == inode
    assert file.stat().st_mode & 0o777 == 0o755
    assert not list((tmp_path / "out/.hipport").glob("tmp-*"))


def test_a_file_that_is_not_ours_is_kept(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_bytes(b"by hand")
    with opened(tmp_path) as out:
        result = out.write("k.hip", b"port")
        assert (result.what, result.reason) == (Written.KEPT, "exists and is not hipport's")
    assert (tmp_path / "k.hip").read_bytes() == b"by hand"


def test_a_file_that_was_changed_by_hand_is_kept_and_force_writes_over_it(tmp_path: Path) -> None:
    with opened(tmp_path) as out:
        out.write("k.hip", b"one")
        out.commit(SourceMap({"k.hip": MappedFile("k.cu", "", _digest(b"one"))}))
    (tmp_path / "k.hip").write_bytes(b"tuned")
    with opened(tmp_path) as out:
        assert out.write("k.hip", b"two").reason == "was changed by hand since hipport wrote it"
    with opened(tmp_path, force=True) as out:
        assert out.write("k.hip", b"two").what is Written.WRITTEN


def test_what_a_killed_run_wrote_is_still_ours(tmp_path: Path) -> None:
    with opened(tmp_path) as out:
        out.write("k.hip", b"one")  # and no commit
    (tmp_path / ".hipport/tmp-1-1").write_bytes(b"half")
    with opened(tmp_path) as out:
        assert out.write("k.hip", b"two").what is Written.WRITTEN
    assert not (tmp_path / ".hipport/tmp-1-1").exists()


def test_a_torn_journal_line_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".hipport").mkdir()
    good = json.dumps(["k.hip", _digest(b"one")]).encode()
    (tmp_path / ".hipport/journal").write_bytes(good + b'\n["l.hi')
    (tmp_path / "k.hip").write_bytes(b"one")
    with opened(tmp_path) as out:
        assert out.write("k.hip", b"two").what is Written.WRITTEN


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/x", ".hipport/map.json"])
def test_no_path_leads_out(path: str, tmp_path: Path) -> None:
    with opened(tmp_path / "out") as out, pytest.raises(OSError, match="outside"):
        out.write(path, b"x")


def test_a_link_in_the_output_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/precious").write_bytes(b"mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/sub").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "out/k.hip").symlink_to(tmp_path / "elsewhere/precious")
    with opened(tmp_path / "out") as out:
        with pytest.raises(OSError, match="symbolic link"):
            out.write("sub/k.hip", b"x")
        assert out.write("k.hip", b"x").what is Written.KEPT
    assert (tmp_path / "elsewhere/precious").read_bytes() == b"mine"
    assert [p.name for p in (tmp_path / "elsewhere").iterdir()] == ["precious"]


def test_a_hard_link_is_not_written_through(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as out:
        out.write("k.hip", b"one")
        os.link(tmp_path / "out/k.hip", tmp_path / "other")
        out.write("k.hip", b"two")
    assert (tmp_path / "other").read_bytes() == b"one"


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path) as out:
        out.write("k.hip", b"one")

        def full(*_: object) -> Path:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space"):
            out.write("k.hip", b"two")
        with pytest.raises(HipportError, match="source map"):
            out.commit(SourceMap())
    assert (tmp_path / "k.hip").read_bytes() == b"one"
    assert not list((tmp_path / ".hipport").glob("tmp-*"))


def test_the_second_run_waits_for_the_first(tmp_path: Path) -> None:
    order: list[str] = []
    held = threading.Event()

    def first() -> None:
        with opened(tmp_path) as out:
            held.set()
            out.write("k.hip", b"one")
            order.append("first")
            out.commit(SourceMap({"k.hip": MappedFile("k.cu", "", _digest(b"one"))}))

    thread = threading.Thread(target=first)
    thread.start()
    held.wait()
    with opened(tmp_path) as out:
        order.append("second")
        assert out.write("k.hip", b"one").what is Written.SAME
    thread.join()
    assert order == ["first", "second"]


def test_a_held_lock_ends_in_an_error_after_the_wait(tmp_path: Path) -> None:
    with (
        opened(tmp_path),
        pytest.raises(HipportError, match="another hipport"),
        opened(tmp_path, wait_seconds=0),
    ):
        pytest.fail("two runs hold one folder")


def test_a_removed_source_takes_its_output_with_it_but_no_hand_work(tmp_path: Path) -> None:
    with opened(tmp_path) as out:
        out.write("sub/a.hip", b"a")
        out.write("b.hip", b"b")
        files = {n: MappedFile("x", "", _digest(d)) for n, d in (("sub/a.hip", b"a"), ("b.hip", b"b"))}
        out.commit(SourceMap(files))
    (tmp_path / "b.hip").write_bytes(b"tuned")
    with opened(tmp_path) as out:
        assert out.remove("sub/a.hip")
        assert not out.remove("b.hip")
    assert not (tmp_path / "sub").exists()
    assert (tmp_path / "b.hip").exists()


def test_a_large_file_is_copied_in_pieces(tmp_path: Path) -> None:
    source = tmp_path / "weights.bin"
    source.write_bytes(bytes(range(256)) * 20000)
    with opened(tmp_path / "out") as out:
        assert out.copy("weights.bin", source, 0o644).digest == _digest(source.read_bytes())
        assert out.copy("weights.bin", source, 0o644).what is Written.SAME
    assert (tmp_path / "out/weights.bin").read_bytes() == source.read_bytes()


def test_a_file_that_the_user_names_is_kept_unless_empty_or_forced(tmp_path: Path) -> None:
    path = tmp_path / "k.hip"
    path.touch()
    assert write_file(path, b"one").what is Written.WRITTEN
    assert write_file(path, b"one").what is Written.SAME
    assert write_file(path, b"two").what is Written.KEPT
    assert write_file(path, b"two", force=True).what is Written.WRITTEN
    assert [p.name for p in tmp_path.iterdir()] == ["k.hip"]


def test_the_map_survives_its_own_writing(tmp_path: Path) -> None:
    made = SourceMap({"k\udcff.hip": MappedFile("k\udcff.cu", "a", "b", ((0, 1, 0, 2, 0, 1),))}, {"l": "k.hip"})
    with opened(tmp_path) as out:
        out.commit(made)
    assert load(tmp_path) == made


@pytest.mark.parametrize("text", ["", "{", '{"schema": 99}', '{"schema": 1, "files": [], "links": {}}'])
def test_a_damaged_map_is_an_error_with_its_place(text: str, tmp_path: Path) -> None:
    (tmp_path / ".hipport").mkdir()
    (tmp_path / ".hipport/map.json").write_text(text)
    with pytest.raises(HipportError, match=r"map\.json"), opened(tmp_path):
        pytest.fail("a damaged map was taken")


def test_a_file_is_no_output_folder(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(UsageError, match="is a file"), opened(tmp_path / "out"):
        pytest.fail("a file was taken for a folder")


def _digest(data: bytes) -> str:
    return workspace._digest(data)
