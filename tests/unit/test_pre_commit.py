"""The hooks under the real pre-commit, in a throw-away repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
pytest.importorskip("pre_commit", reason="pre-commit is not installed")
LEFT = "void g(int* p) { cudaD3D9GetDevice(p, 0); }\n"


def run(folder: Path, *command: str, code: int | None = 0, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(  # a hook may install an environment first
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**clean, **who, **environment},
        timeout=300,
    )
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    run(tmp_path, "git", "init", "-q")
    (tmp_path / "ok.cu").write_text("void f(float** p) { cudaMalloc(p, 4); }\n")
    (tmp_path / "left.cu").write_text(LEFT)
    (tmp_path / "notes.md").write_text(LEFT)
    run(tmp_path, "git", "add", ".")
    return tmp_path


@pytest.fixture
def hooks(tmp_path_factory) -> Path:
    """The hook definitions as a repository of their own, run by this interpreter's hipport: nothing is installed."""
    folder = tmp_path_factory.mktemp("hooks")
    definitions = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())
    for hook in definitions:
        hook["entry"] = f"{sys.executable} -m {hook['entry']}"
        hook["language"] = "system"
    (folder / ".pre-commit-hooks.yaml").write_text(yaml.safe_dump(definitions))
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", ".")
    run(folder, "git", "commit", "-qm", "hooks")
    return folder


def try_repo(folder: Path, hooks: Path, hook: str, code: int, home: Path) -> str:
    command = (sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--all-files", "--color=never")
    return run(folder, *command, code=code, PRE_COMMIT_HOME=str(home))


@pytest.mark.parametrize("hook", ["hipport-check", "hipport-check-ast"])
def test_a_hook_flags_cuda_files_and_no_others(repository: Path, hooks: Path, hook: str, tmp_path_factory) -> None:
    home = tmp_path_factory.mktemp("home")
    said = try_repo(repository, hooks, hook, 1, home)
    assert "left.cu:1:18: error" in said
    assert "notes.md" not in said
    (repository / "left.cu").unlink()
    run(repository, "git", "add", ".")
    assert "Passed" in try_repo(repository, hooks, hook, 0, home)


def test_a_hook_judges_what_is_staged_alone(repository: Path, hooks: Path, tmp_path_factory) -> None:
    home = tmp_path_factory.mktemp("home")
    (repository / "left.cu").unlink()
    config = {"repos": [{"repo": str(hooks), "rev": "HEAD", "hooks": [{"id": "hipport-check"}]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    run(repository, "git", "add", ".")
    run(repository, sys.executable, "-m", "pre_commit", "install", PRE_COMMIT_HOME=str(home))
    (repository / "ok.cu").write_text(LEFT)  # not staged
    run(repository, "git", "commit", "-qm", "staged is fine", PRE_COMMIT_HOME=str(home))
    assert (repository / "ok.cu").read_text() == LEFT
    run(repository, "git", "add", ".")
    refused = run(repository, "git", "commit", "-qm", "not fine", code=None, PRE_COMMIT_HOME=str(home))
    assert "ok.cu:1:18: error" in refused
    assert run(repository, "git", "status", "--short").startswith("M  ok.cu")


def test_the_port_hook_keeps_the_port_up_to_date(repository: Path, hooks: Path, tmp_path_factory) -> None:
    home = tmp_path_factory.mktemp("home")
    try_repo(repository, hooks, "hipport-port", 1, home)  # left.cu is left for a person
    assert "hipMalloc" in (repository / "hip" / "ok.hip").read_text()


@pytest.mark.slow
def test_the_hooks_install_from_the_checkout(repository: Path, tmp_path_factory) -> None:
    """What a user gets: an environment of the hook's own, made by pre-commit from this repository."""
    if shutil.which("git") is None or not (CHECKOUT / ".git").exists():
        pytest.skip("not a git checkout")
    home = tmp_path_factory.mktemp("home")
    clone = tmp_path_factory.mktemp("clone") / "hipport"
    run(repository, "git", "clone", "-q", "--depth=1", CHECKOUT.as_uri(), str(clone))
    said = run(
        repository, sys.executable, "-m", "pre_commit", "try-repo", str(clone), "hipport-check", "--all-files",
        "--color=never", code=None, PRE_COMMIT_HOME=str(home),
    )  # fmt: skip
    if "CalledProcessError" in said or "No matching distribution" in said:
        pytest.skip("pip cannot install the hook's environment here (no package index)")
    assert "left.cu:1:18: error" in said
