"""`hipport check` as a user runs it: what it finds, what fails, what it mends, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SAFE = "void f(float** p) { cudaMalloc(p, 4); }\n"
LEFT = "void g(int* p) { cudaD3D9GetDevice(p, 0); }\n"  # HIP has no Direct3D 9
LEFT_RULE = "unsupported"


def hipport(
    folder: Path, *arguments: str, text: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "hipport", *arguments]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return subprocess.run(
        command, cwd=folder, input=text, capture_output=True, check=False, env={**clean, **environment}, timeout=120
    )


def found(run: subprocess.CompletedProcess) -> list[dict]:
    return json.loads(run.stdout)["findings"]


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "safe.cu").write_text(SAFE)
    (tmp_path / "src" / "left.cu").write_text("// first\n" + LEFT)
    (tmp_path / "notes.txt").write_text("cudaMalloc\n")
    return tmp_path


def test_safe_renames_pass_and_are_summed(tree: Path) -> None:
    run = hipport(tree, "check", "src/safe.cu")
    assert run.returncode == 0, run.stderr
    assert b"2 CUDA names that a port renames safely" in run.stdout  # cudaMalloc, and the include that nvcc implies
    chosen = hipport(tree, "check", "src/safe.cu", "--select", "rename", "--json")
    assert chosen.returncode == 1
    assert ("src/safe.cu", 1, 21) in [(f["path"], f["line"], f["column"]) for f in found(chosen)]


def test_what_is_left_for_a_person_fails(tree: Path) -> None:
    run = hipport(tree, "check")
    assert run.returncode == 1
    assert b"src/left.cu:2:18: error: " in run.stdout
    assert b"cudaD3D9GetDevice" in run.stdout
    assert hipport(tree, "check", "--ignore", LEFT_RULE).returncode == 0
    assert hipport(tree, "check", "--exit-zero").returncode == 0
    assert hipport(tree, "check", "src/safe.cu", "src/left.cu", "src").stdout == hipport(tree, "check", "src").stdout


def test_the_answer_is_the_same_for_any_number_of_jobs_cold_and_warm(tree: Path) -> None:
    for n in range(40):
        (tree / "src" / f"k{n}.cu").write_text(f"// {n}\n" * n + LEFT + SAFE)
    runs = [hipport(tree, "check", "--json", "--jobs", jobs).stdout for jobs in ("1", "2", "8", "1")]
    assert len(set(runs)) == 1
    assert json.loads(runs[0])["failing"] == 41


@pytest.mark.parametrize("kind", ["text", "json", "jsonl", "sarif", "github", "gitlab", "junit"])
def test_every_format_names_the_place(tree: Path, kind: str) -> None:
    path = tree / "answer"
    run = hipport(tree, "check", "--format", kind, "--output", str(path))
    assert run.returncode == 1, run.stderr
    assert run.stdout == b""
    assert "src/left.cu" in path.read_text()


def test_excuses_and_settings(tree: Path) -> None:
    left = tree / "src" / "left.cu"
    left.write_text(LEFT.rstrip() + f"  // hipport: ignore[{LEFT_RULE}] only on Windows\n")
    assert hipport(tree, "check").returncode == 0
    left.write_text(SAFE.rstrip() + f"  // hipport: ignore[{LEFT_RULE}]\n")
    unused = hipport(tree, "check")
    assert unused.returncode == 1
    assert b"unused" in unused.stdout
    left.write_text(LEFT)
    settings = tree / "hipport.toml"
    for text, code in [
        ('[check]\nexclude = ["src/left.cu"]\n', 0),
        (f'[check]\nignore = ["{LEFT_RULE}"]\n', 0),
        (f'[check.per-path-ignores]\n"src/l*.cu" = ["{LEFT_RULE}"]\n', 0),
        (f'[check.per-path-ignores]\n"lib/" = ["{LEFT_RULE}"]\n', 1),
        ("[check]\nexclud = []\n", 2),
    ]:
        settings.write_text(text)
        run = hipport(tree, "check")
        assert run.returncode == code, (text, run.stdout, run.stderr)
    assert b"exclud" in run.stderr


def test_a_baseline_leaves_out_what_is_known(tree: Path) -> None:
    assert hipport(tree, "check", "--write-baseline", "known.json").returncode == 0
    assert hipport(tree, "check", "--baseline", "known.json").returncode == 0
    left = tree / "src" / "left.cu"
    left.write_text("\n\n" + left.read_text() + "void h(int* p) { cudaD3D9GetDevice(p, 1); }\n")
    run = hipport(tree, "check", "--baseline", "known.json", "--json")
    assert run.returncode == 1
    assert [f["line"] for f in found(run)] == [5]
    assert json.loads(run.stdout)["known"] == 1
    damaged = tree / "bad.json"
    damaged.write_text("{")
    assert hipport(tree, "check", "--baseline", "bad.json").returncode == 2


def test_fix_mends_what_is_safe_and_nothing_else(tree: Path) -> None:
    text = "// ä\r\n" + SAFE.rstrip() + " " + LEFT.replace("\n", "\r\n")
    both = tree / "src" / "both.cu"
    both.write_bytes(text.encode("latin-1"))
    both.chmod(0o755)
    run = hipport(tree, "check", "--fix", "src/both.cu")
    assert run.returncode == 1
    expected = "#include <hip/hip_runtime.h>\r\n" + text.replace("cudaMalloc", "hipMalloc")
    assert both.read_bytes().replace(b"\r\n\r\n", b"\r\n") in {
        expected.encode("latin-1"), text.replace("cudaMalloc", "hipMalloc").encode("latin-1"),
    }  # fmt: skip
    assert both.stat().st_mode & 0o777 == 0o755
    after = both.read_bytes()
    hipport(tree, "check", "--fix", "src/both.cu")
    assert both.read_bytes() == after


def test_only_changed_lines(tree: Path) -> None:
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "x")
    assert hipport(tree, "check", "--changed").returncode == 0
    left = tree / "src" / "left.cu"
    left.write_text(left.read_text() + LEFT)
    run = hipport(tree, "check", "--changed", "src", "--json")
    assert [f["line"] for f in found(run)] == [3]
    git(tree, "commit", "-qam", "y")
    assert hipport(tree, "check", "--changed").returncode == 0
    assert [f["line"] for f in found(hipport(tree, "check", "--changed", "HEAD~1", "--json"))] == [3]
    assert [f["line"] for f in found(hipport(tree, "check", "--changed=HEAD~1", "src", "--json"))] == [3]
    wrong = hipport(tree, "check", "--changed", "nowhere")
    assert wrong.returncode == 2
    assert b"`nowhere` is no commit" in wrong.stderr


def test_a_hook_sees_what_is_staged(tree: Path) -> None:
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "x")
    safe = tree / "src" / "safe.cu"
    safe.write_text(SAFE + LEFT)
    git(tree, "add", ".")
    safe.write_text(SAFE + "// not staged\n")
    assert hipport(tree, "check", "--changed").returncode == 0
    for arguments, environment in [(("--staged",), {}), ((), {"GIT_INDEX_FILE": ".git/index"})]:
        run = hipport(tree, "check", "--json", *arguments, **environment)
        assert [(f["path"], f["line"]) for f in found(run)] == [("src/safe.cu", 2)]


def test_an_editor_checks_its_buffer(tree: Path) -> None:
    run = hipport(tree, "check", "--stdin-filename", "src/new.cu", "--json", text=LEFT.encode())
    assert run.returncode == 1
    assert [f["path"] for f in found(run)] == ["src/new.cu"]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda folder: (folder / "empty").mkdir(), 0),
        (lambda folder: (folder / "k.cu").write_bytes(b"\xff\xfe" + LEFT.encode("utf-16-le")), 1),
        (lambda folder: (folder / "k.cu").write_bytes(LEFT.encode() + b"\0"), 1),
        (lambda folder: (folder / "k.cu").write_bytes("// ä\n".encode("latin-1") + SAFE.encode()), 0),
        (lambda folder: (folder / "na\nme.cu").write_text(LEFT), 1),
        (lambda folder: (folder / "k.cu").symlink_to("/etc/passwd"), 0),
    ],
)
def test_odd_input_has_an_outcome(tmp_path: Path, make, code: int) -> None:
    make(tmp_path)
    run = hipport(tmp_path, "check")
    assert run.returncode == code, (run.stdout, run.stderr)
    assert b"Traceback" not in run.stderr
    assert b"na\nme" not in run.stdout


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    run = hipport(tmp_path, "check", "nowhere.cu")
    assert run.returncode == 2
    assert b"nowhere.cu" in run.stderr
