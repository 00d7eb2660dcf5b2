"""Bad input: a clear outcome each, the right exit code, nothing lost, and the other files ported."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config, Stage
from hipport.model import FileReport, OutcomeKind, Report, Status
from hipport.report.coverage import exit_code
from hipport.report.port_json import port_json
from hipport.report.port_markdown import port_markdown
from hipport.report.port_text import port_text
from hipport.source import discover

if TYPE_CHECKING:
    from pathlib import Path

LEXICAL = Config(only=(Stage.RENAME, Stage.BUILD))
GOOD = b"void f(void* p) { cudaFree(p); }\n"
GOOD_PORT = b"#include <hip/hip_runtime.h>\nvoid f(void* p) { hipFree(p); }\n"


def port(tmp_path: Path, files: dict[str, bytes]) -> tuple[Report, Path]:
    """A port of the files and of one good file, which must always come out right."""
    repo, out = tmp_path / "repo", tmp_path / "out"
    for name, data in {**files, "good.cu": GOOD}.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_bytes(data)
    report = api.port(repo, out, config=LEXICAL).report
    assert (out / "good.hip").read_bytes() == GOOD_PORT
    # every form of the report can be made of it
    assert port_text(report, verbosity=1)
    assert port_markdown(report)
    port_json(report, LEXICAL).encode()
    return report, out


def of(report: Report, path: str) -> FileReport:
    return next(file for file in report.files if file.path == path)


@pytest.mark.parametrize(
    "text",
    [
        "// Größe\nvoid g(void* p) { cudaFree(p); }\n".encode("latin-1"),
        b"\xef\xbb\xbfvoid g(void* p) { cudaFree(p); }\n",
        b"void g(void* p)\r\n{ cudaFree(p); }\r\n",
        "// 日本\nvoid g(void* p) { cudaFree(p); }\n".encode("shift_jis"),
        b"void g(void* p) { cudaFree(p); }",
        b"void g(void* p) {\r cudaFree(p);\r}\r",
        b"\x0cvoid g(void* p) { cudaFree(p); }\n",
    ],
    ids=["latin-1", "bom", "crlf", "shift-jis", "no end of line", "cr", "form feed"],
)
def test_bytes_that_are_not_edited_survive(text: bytes, tmp_path: Path) -> None:
    report, out = port(tmp_path, {"odd.h": text})
    assert (out / "odd.h").read_bytes() == text.replace(b"cudaFree", b"hipFree")
    assert exit_code(report) == 0


def test_a_bom_stays_first_when_an_include_is_inserted(tmp_path: Path) -> None:
    _, out = port(tmp_path, {"bom.cu": b"\xef\xbb\xbf" + GOOD})
    data = (out / "bom.hip").read_bytes()
    assert data == b"\xef\xbb\xbf" + GOOD_PORT


def test_crlf_stays_when_an_include_is_inserted(tmp_path: Path) -> None:
    _, out = port(tmp_path, {"win.cu": b"int a;\r\n" + GOOD.replace(b"\n", b"\r\n")})
    data = (out / "win.hip").read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") == 3


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"int a;\nvoid g() { cudaFree(0); \0 }\n", "holds a NUL byte in line 2"),
        ("void g() { cudaFree(0); }\n".encode("utf-16"), "UTF-16 text is not read"),
        (b"\x7fELF\0\0 cudaFree", "holds a NUL byte in line 1"),
    ],
)
def test_what_is_no_text_is_left_alone_and_listed(data: bytes, said: str, tmp_path: Path) -> None:
    report, out = port(tmp_path, {"odd.cu": data})
    file = of(report, "odd.cu")
    assert file.outcome.kind is OutcomeKind.SKIPPED
    assert said in file.outcome.reason
    assert file.findings[0].finding.status is Status.UNPARSED
    assert (out / "odd.hip").read_bytes() == data  # its name follows, as those that refer to it do
    assert exit_code(report) == 1


def test_a_binary_without_cuda_in_it_is_copied_without_a_word(tmp_path: Path) -> None:
    report, out = port(tmp_path, {"fake.h": b"\0\1\2", "weights.pt": bytes(range(256))})
    assert (out / "fake.h").read_bytes() == b"\0\1\2"
    assert exit_code(report) == 0


@pytest.mark.parametrize(
    "name",
    ["line\nbreak.cu", "\x1b[31mred.cu", os.fsdecode(b"latin-\xe9.cu"), "spa ce.cu", "-o.cu", "pipe|`x`.cu", "日本.cu"],
)
def test_odd_names(name: str, tmp_path: Path) -> None:
    report, out = port(tmp_path, {name: GOOD})
    assert (out / name.replace(".cu", ".hip")).read_bytes() == GOOD_PORT
    text = port_text(report, verbosity=1)
    assert "\x1b" not in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert "\x1b" not in port_markdown(report)
    assert exit_code(report) == 0


def test_an_unreadable_file_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = discover.read

    def read(root: Path, path: str) -> object:
        if path == "locked.cu":
            raise PermissionError(errno.EACCES, "Permission denied")
        return whole(root, path)

    monkeypatch.setattr(discover, "read", read)
    report, out = port(tmp_path, {"locked.cu": GOOD})
    assert of(report, "locked.cu").outcome.reason == "cannot be read: Permission denied"
    assert not (out / "locked.hip").exists()
    assert exit_code(report) == 3


def test_a_file_that_vanishes_fails_alone_and_its_earlier_port_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, out = port(tmp_path, {"gone.cu": GOOD, "gone.txt": b"x"})
    whole = discover.discover

    def vanish(root: Path, **rest: object) -> object:
        tree = whole(root, **rest)  # type: ignore[arg-type]
        (root / "gone.cu").unlink()
        (root / "gone.txt").unlink()
        return tree

    monkeypatch.setattr(discover, "discover", vanish)
    report = api.port(tmp_path / "repo", out, config=LEXICAL).report
    assert of(report, "gone.cu").outcome.reason == "cannot be read: No such file or directory"
    assert of(report, "gone.txt").outcome.kind is OutcomeKind.FAILED
    assert (out / "gone.hip").is_file()
    assert (out / "gone.txt").is_file()
    assert of(report, "good.cu").outcome.kind is OutcomeKind.PORTED
    assert exit_code(report) == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed_fails_alone(tmp_path: Path) -> None:
    closed = tmp_path / "repo/closed"
    closed.mkdir(parents=True)
    closed.chmod(0)
    try:
        report, _ = port(tmp_path, {})
    finally:
        closed.chmod(0o755)
    assert of(report, "closed/").outcome.kind is OutcomeKind.FAILED
    assert exit_code(report) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on file sizes here")
def test_a_full_disk_is_said_and_nothing_half_written_stays(tmp_path: Path) -> None:
    """A limit on file sizes stands for the full disk: the write system call itself fails."""
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "good.cu").write_bytes(GOOD)
    (repo / "big.cu").write_bytes(b"// padding\n" * 8000 + GOOD)

    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))

    command = [sys.executable, "-m", "hipport", "port", str(repo), "-o", str(tmp_path / "out"), "--only", "rename"]
    run = subprocess.run(command, capture_output=True, check=False, preexec_fn=limit)
    assert run.returncode == 3
    assert b"big.cu: failed: cannot be written: File too large" in run.stdout
    assert b"Traceback" not in run.stderr
    assert (tmp_path / "out/good.hip").read_bytes() == GOOD_PORT
    assert not (tmp_path / "out/big.hip").exists()
    assert sorted(p.name for p in (tmp_path / "out/.hipport").iterdir()) == ["cache.json", "map.json"]
    again = subprocess.run(command, capture_output=True, check=False)
    assert again.returncode == 0
    assert (tmp_path / "out/big.hip").is_file()


def test_an_empty_tree_and_a_tree_without_cuda_are_no_faults(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    report = api.port(tmp_path / "empty", tmp_path / "out", config=LEXICAL).report
    assert (report.files, exit_code(report)) == ((), 0)
    assert "no files" in port_text(report)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.cpp").write_bytes(b"int main() {}\n")
    report = api.port(tmp_path / "plain", tmp_path / "out2", config=LEXICAL).report
    assert exit_code(report) == 0
    assert "no CUDA that must change" in port_text(report)


def test_an_empty_file_and_a_file_of_one_token(tmp_path: Path) -> None:
    report, out = port(tmp_path, {"empty.cu": b"", "one.h": b"cudaStream_t"})
    assert (out / "empty.hip").read_bytes() == b""
    assert (out / "one.h").read_bytes() == b"hipStream_t"
    assert exit_code(report) == 0


def test_a_generated_file_of_five_megabytes(tmp_path: Path) -> None:
    table = b"  " + b"0x1p-3f, " * 40 + b"\n"
    lines = b"".join(b"void r%d(float* p, cudaStream_t s) { k<<<1, 64, 0, s>>>(p); }\n" % n for n in range(4000))
    report, out = port(tmp_path, {"big.cu": b"float w[] = {\n" + table * 13000 + b"};\n" + lines})
    data = (out / "big.hip").read_bytes()
    assert len(data) > 5_000_000 - 500_000
    assert data.count(b"hipStream_t") == 4000
    assert b"cuda" not in data
    assert exit_code(report) == 0


def test_a_template_keeps_its_placeholders(tmp_path: Path) -> None:
    text = b"{% for t in types %}\nvoid f_{{ t }}({{ t }}* p) { cudaFree(p); }\n{% endfor %}\n"
    _, out = port(tmp_path, {"f.cu.j2": text})
    assert text.replace(b"cudaFree", b"hipFree") in (out / "f.hip.j2").read_bytes()


def test_unfinished_code_is_ported_and_not_made_worse(tmp_path: Path) -> None:
    report, out = port(tmp_path, {"half.h": b"void f(void* p) { cudaFree(p);\n/* no end"})
    assert (out / "half.h").read_bytes() == b"void f(void* p) { hipFree(p);\n/* no end"
    assert of(report, "half.h").outcome.kind is OutcomeKind.PORTED


def test_a_launch_without_an_end_does_not_loop(tmp_path: Path) -> None:
    _, out = port(tmp_path, {"prose.h": b"#if 0\nUse k<<< to start\n#endif\n" + GOOD})
    assert b"hipFree" in (out / "prose.h").read_bytes()
