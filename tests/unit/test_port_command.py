"""`hipport port` end to end: what is written, what is kept, what is said, and the exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipport import api
from hipport.config import Config, Stage
from hipport.errors import UsageError
from hipport.model import OutcomeKind, Report, Status
from hipport.report.coverage import coverage, exit_code
from hipport.report.port_json import port_json
from hipport.report.port_markdown import port_markdown
from hipport.report.port_text import port_text
from hipport.source import sourcemap

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
LEXICAL = Config(only=(Stage.RENAME, Stage.BUILD))

KERNEL = b"""#include <cuda_runtime.h>
#include "util.cuh"

__global__ void scale(float* x, float a) { x[threadIdx.x] *= a; }

cudaError_t run(float* x, cudaStream_t s) {
  scale<<<1, 64, 0, s>>>(x, kFactor);
  return cudaGetLastError();
}
"""
PORTED = KERNEL.replace(b"cuda_runtime.h", b"hip/hip_runtime.h").replace(b"cudaError_t", b"hipError_t")
PORTED = PORTED.replace(b"cudaStream_t", b"hipStream_t").replace(b"cudaGetLastError", b"hipGetLastError")


def make(root: Path, files: dict[str, bytes | str]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def tree(tmp_path: Path) -> Path:
    return make(
        tmp_path / "repo",
        {
            "src/scale.cu": KERNEL,
            "src/util.cuh": "#pragma once\nconstexpr float kFactor = 2.f;\n",
            "src/all.cpp": '#include "scale.cu"\n#include <cuda.h>\n',
            "README.md": "scale.cu calls cudaMalloc\n",
            "data/w.bin": bytes(range(256)),
        },
    )


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        p.relative_to(root).as_posix(): b"->" + os.fsencode(p.readlink()) if p.is_symlink() else p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_symlink() or p.is_file()
    }


def hipport(*words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "hipport", *(str(word) for word in words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, check=False)


def outcomes(report: Report) -> dict[str, str]:
    return {file.path: file.outcome.kind.value for file in report.files}


def test_a_repository_is_ported_whole_and_its_references_follow(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    before = snapshot(repo)
    report = api.port(repo, tmp_path / "out", config=LEXICAL).report
    written = snapshot(tmp_path / "out")
    assert snapshot(repo) == before
    assert written.pop(".hipport/map.json")
    assert written.pop(".hipport/cache.json")
    assert written == {
        "README.md": before["README.md"],
        "data/w.bin": before["data/w.bin"],
        "src/all.cpp": b'#include "scale.hip"\n#include <hip/hip_runtime.h>\n',
        "src/scale.hip": PORTED,
        "src/util.cuh": before["src/util.cuh"],
    }
    assert outcomes(report)["src/scale.cu"] == "ported"
    assert outcomes(report)["README.md"] == "unchanged"
    assert exit_code(report) == 0


def test_a_second_run_changes_nothing_not_even_a_time(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    first = api.port(repo, tmp_path / "out", config=LEXICAL)
    times = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*") if p.is_file()}
    second = api.port(repo, tmp_path / "out", config=LEXICAL)
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*") if p.is_file()} == times
    assert port_json(second.report, LEXICAL) == port_json(first.report, LEXICAL)


def test_a_second_run_reads_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipport.porting import cache, pipeline

    monkeypatch.setattr(cache, "_program", lambda: "a checkout in which nobody works")

    repo = make(tree(tmp_path), {"setup.py": "x = 1\n", "src/other.cu": KERNEL, "src/alone.cu": KERNEL})
    read: list[str] = []
    whole = pipeline.find

    def find(source: pipeline.SourceFile, port: pipeline.Port, around: pipeline.Surroundings) -> object:
        read.append(source.path)
        return whole(source, port, around)

    monkeypatch.setattr(pipeline, "find", find)

    def again(config: Config = LEXICAL) -> set[str]:
        read.clear()
        api.port(repo, tmp_path / "out", config=config)
        return set(read)

    everything = {"setup.py", "src/alone.cu", "src/all.cpp", "src/other.cu", "src/scale.cu", "src/util.cuh"}
    assert again() == everything
    assert again() == set()
    (repo / "src/alone.cu").write_bytes(KERNEL.replace(b"64", b"32").replace(b'#include "util.cuh"\n', b""))
    assert "src/alone.cu" in again()
    assert again() == set()
    (repo / "src/alone.cu").write_bytes(KERNEL.replace(b"64", b"16").replace(b'#include "util.cuh"\n', b""))
    assert again() == {"src/alone.cu"}
    (repo / "src/util.cuh").write_bytes(b"#pragma once\ntypedef int cudaStream_t;\n")
    assert again() >= {"src/util.cuh", "src/scale.cu", "src/other.cu", "src/all.cpp"}
    assert b"cudaStream_t" in (tmp_path / "out/src/scale.hip").read_bytes()
    (repo / "src/new.cu").write_bytes(b"void g() { cudaFree(0); }\n")
    assert again() == {"src/new.cu", "setup.py"}
    (tmp_path / "out/src/new.hip").unlink()
    assert again() == {"src/new.cu"}
    assert again(Config(only=LEXICAL.only, rocm="7.1")) == {*everything, "src/new.cu"}
    (tmp_path / "out/.hipport/cache.json").write_text("{")
    assert again() == {*everything, "src/new.cu"}


def test_an_edit_to_a_source_is_picked_up_and_a_removed_one_goes(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    api.port(repo, tmp_path / "out", config=LEXICAL)
    (repo / "src/scale.cu").write_bytes(KERNEL.replace(b"64", b"128"))
    (repo / "src/all.cpp").unlink()
    api.port(repo, tmp_path / "out", config=LEXICAL)
    assert (tmp_path / "out/src/scale.hip").read_bytes() == PORTED.replace(b"64", b"128")
    assert not (tmp_path / "out/src/all.cpp").exists()


def test_porting_the_port_changes_nothing(tmp_path: Path) -> None:
    api.port(tree(tmp_path), tmp_path / "out", config=LEXICAL)
    shutil.rmtree(tmp_path / "out/.hipport")
    api.port(tmp_path / "out", tmp_path / "again", config=LEXICAL)
    shutil.rmtree(tmp_path / "again/.hipport")
    assert snapshot(tmp_path / "again") == snapshot(tmp_path / "out")


def test_a_handwritten_sibling_is_kept_in_both_folders(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {"src/scale.hip": "// tuned by hand\n"})
    report = api.port(repo, tmp_path / "out", config=LEXICAL).report
    assert (tmp_path / "out/src/scale.hip").read_bytes() == b"// tuned by hand\n"
    assert (tmp_path / "out/src/scale.cu.hip").read_bytes() == PORTED
    assert b'"scale.cu.hip"' in (tmp_path / "out/src/all.cpp").read_bytes()
    said = [item.finding.message for file in report.files for item in file.findings]
    assert any("`scale.hip` exists and is not hipport's" in message for message in said)


def test_hand_work_in_the_output_is_kept_and_said(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    api.port(repo, tmp_path / "out", config=LEXICAL)
    (tmp_path / "out/src/scale.hip").write_bytes(b"// tuned since\n")
    make(tmp_path / "out", {"src/new.hip": b"// mine\n"})
    (repo / "src/new.cu").write_bytes(KERNEL)
    answer = api.port(repo, tmp_path / "out", config=LEXICAL)
    assert (tmp_path / "out/src/scale.hip").read_bytes() == b"// tuned since\n"
    assert (tmp_path / "out/src/new.hip").read_bytes() == b"// mine\n"
    kept = {f.path: f.outcome.reason for f in answer.report.files if f.outcome.kind is OutcomeKind.SKIPPED}
    assert kept == {
        "src/scale.cu": "the output was changed by hand since hipport wrote it",
        "src/new.cu": "the output exists and is not hipport's",
    }
    assert exit_code(answer.report) == 1
    api.port(repo, tmp_path / "out", config=LEXICAL, force=True)
    assert (tmp_path / "out/src/scale.hip").read_bytes() == PORTED


def test_vendored_code_is_copied_and_including_it_is_a_finding(tmp_path: Path) -> None:
    repo = make(
        tree(tmp_path),
        {
            "third_party/lib/k.cuh": "inline void f() { cudaFree(0); }\n",
            "third_party/lib/j.cu": "void g() { cudaFree(0); }\n",
            "src/uses.cu": '#include "../third_party/lib/k.cuh"\n',
        },
    )
    answer = api.port(repo, tmp_path / "out", config=LEXICAL)
    assert (tmp_path / "out/third_party/lib/j.cu").read_bytes() == b"void g() { cudaFree(0); }\n"
    found = [item for file in answer.report.files for item in file.findings]
    assert [(f.finding.rule, f.line, f.column) for f in found] == [("include-not-ported", 1, 10)]
    assert exit_code(answer.report) == 1
    assert any(note.startswith("third_party/: 2 vendored files") for note in answer.report.notes)
    api.port(repo, tmp_path / "all", config=Config(only=LEXICAL.only, vendored=True))
    assert (tmp_path / "all/third_party/lib/j.hip").read_bytes().endswith(b"void g() { hipFree(0); }\n")


def test_links_stay_links_and_none_leads_out(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {"../outside/secret.cu": KERNEL})
    (repo / "link.cu").symlink_to("src/scale.cu")
    (repo / "folder").symlink_to("src")
    (repo / "leak.cu").symlink_to("../outside/secret.cu")
    report = api.port(repo, tmp_path / "out", config=LEXICAL).report
    out = tmp_path / "out"
    assert (out / "link.hip").readlink() == Path("src/scale.hip")
    assert (out / "folder").readlink() == Path("src")
    assert not any("leak" in path.name for path in out.iterdir())
    assert "leak.cu: a symbolic link out of the tree or to nothing, left out" in report.notes
    assert (tmp_path / "outside/secret.cu").read_bytes() == KERNEL


def test_the_map_leads_from_the_port_to_the_source(tmp_path: Path) -> None:
    api.port(tree(tmp_path), tmp_path / "out", config=LEXICAL)
    mapped = sourcemap.load(tmp_path / "out").files["src/scale.hip"]
    assert mapped.source == "src/scale.cu"
    lines = PORTED.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if b"<<<" in line)
    place = sourcemap.origin(mapped, PORTED, number, lines[number - 1].index(b"<<<") + 1)
    assert KERNEL.splitlines()[place.line - 1][place.column - 1 :].startswith(b"<<<")
    assert place.exact


def test_one_file_into_one_file(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    answer = api.port(repo / "src/scale.cu", tmp_path / "k.hip", config=LEXICAL)
    assert (tmp_path / "k.hip").read_bytes() == PORTED
    assert sorted(p.name for p in tmp_path.iterdir()) == ["k.hip", "repo"]
    assert exit_code(answer.report) == 0
    (tmp_path / "k.hip").write_bytes(b"mine")
    answer = api.port(repo / "src/scale.cu", tmp_path / "k.hip", config=LEXICAL)
    assert (tmp_path / "k.hip").read_bytes() == b"mine"
    assert exit_code(answer.report) == 1


def test_names_that_an_included_header_declares_are_left_alone(tmp_path: Path) -> None:
    repo = make(
        tmp_path / "repo",
        {
            "include/own.h": "#pragma once\nstatic inline int cudaMalloc(int n) { return n; }\n",
            "src/k.cu": '#include "own.h"\n__global__ void k() {}\nint f() { return cudaMalloc(3); }\n',
        },
    )
    api.port(repo, tmp_path / "out", config=LEXICAL)
    assert b"return cudaMalloc(3)" in (tmp_path / "out/src/k.hip").read_bytes()
    api.port(repo / "src/k.cu", tmp_path / "k.hip", config=LEXICAL)
    assert b"return cudaMalloc(3)" in (tmp_path / "k.hip").read_bytes()


@pytest.mark.parametrize("out", ["repo", ".", "repo/src/scale.cu"])
def test_an_output_that_is_or_holds_the_source_is_refused(out: str, tmp_path: Path) -> None:
    repo = tree(tmp_path)
    with pytest.raises(UsageError):
        api.port(repo, tmp_path / out, config=LEXICAL)
    assert not (repo / ".hipport").exists()


def test_an_output_inside_the_source_is_not_ported_itself(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    api.port(repo, repo / "out", config=LEXICAL)
    first = snapshot(repo)
    api.port(repo, repo / "out", config=LEXICAL)
    assert snapshot(repo) == first
    assert not (repo / "out/out").exists()


@needs_git
def test_in_place_needs_a_clean_git_tree_and_then_renames(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    before = snapshot(repo)
    with pytest.raises(UsageError, match="no git tree"):
        api.port(repo, in_place=True, config=LEXICAL)
    git(repo, "init", "-q")
    with pytest.raises(UsageError, match="not clean"):
        api.port(repo, in_place=True, config=LEXICAL)
    assert {k: v for k, v in snapshot(repo).items() if not k.startswith(".git/")} == before
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "x")
    api.port(repo, tmp_path / "out", config=LEXICAL)
    api.port(repo, in_place=True, config=LEXICAL)
    shutil.rmtree(tmp_path / "out/.hipport")
    assert {k: v for k, v in snapshot(repo).items() if not k.startswith(".git/")} == snapshot(tmp_path / "out")
    with pytest.raises(UsageError, match="not clean"):
        api.port(repo, in_place=True, config=LEXICAL)


@needs_git
def test_the_patch_is_what_in_place_does(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    git(repo, "init", "-q")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "x")
    patch = api.port(repo, patch=True, config=LEXICAL).patch
    assert b"rename from src/scale.cu\nrename to src/scale.hip\n" in patch
    subprocess.run(["git", "-C", str(repo), "apply", "-"], input=patch, check=True)
    api.port(tree(tmp_path / "b"), tmp_path / "out", config=LEXICAL)
    shutil.rmtree(tmp_path / "out/.hipport")
    assert {k: v for k, v in snapshot(repo).items() if not k.startswith(".git/")} == snapshot(tmp_path / "out")


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


def test_two_runs_at_once_end_like_one(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {f"many/k{n}.cu": KERNEL.replace(b"scale", b"k%d" % n) for n in range(60)})
    command = [sys.executable, "-m", "hipport", "port", str(repo), "-o", str(tmp_path / "out"), "-q"]
    command += ["--only", "rename,build"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    assert [run.communicate() for run in runs] == [(b"", b"")] * 3
    assert [run.returncode for run in runs] == [0, 0, 0]
    api.port(repo, tmp_path / "one", config=LEXICAL)
    for name in ("out", "one"):
        (tmp_path / name / ".hipport/cache.json").unlink()
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "one")


def test_runs_that_are_killed_leave_nothing_that_the_next_one_cannot_finish(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {f"many/k{n}.cu": KERNEL.replace(b"scale", b"k%d" % n) for n in range(150)})
    command = [sys.executable, "-m", "hipport", "port", str(repo), "-o", str(tmp_path / "out"), "-q"]
    command += ["--only", "rename,build"]
    written = []
    for wanted in (1, 40, 90):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and len(list((tmp_path / "out").rglob("*.hip"))) < wanted:
            pass
        run.kill()
        run.wait()
        (repo / "src/scale.cu").write_bytes(KERNEL + b"// %d\n" % wanted)  # what was written is out of date now
        written.append(len(list((tmp_path / "out").rglob("*.hip"))))
    assert written[0] >= 1
    assert subprocess.run(command, check=False).returncode == 0
    api.port(repo, tmp_path / "one", config=LEXICAL)
    for name in ("out", "one"):
        shutil.rmtree(tmp_path / name / ".hipport")
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "one")


def test_reports_and_files_do_not_depend_on_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipport.porting import pool

    monkeypatch.setattr(pool, "SMALL_BYTES", 0)
    monkeypatch.setattr(pool.units, "__defaults__", (600,))
    repo = make(tree(tmp_path), {f"many/k{n}.cu": KERNEL.replace(b"scale", b"k%d" % n) for n in range(20)})
    texts = []
    for jobs in (1, 2, 4):
        config = Config(only=LEXICAL.only, jobs=jobs)
        out = tmp_path / f"out{jobs}"
        answer = api.port(repo, out, config=config, detail=True)
        (out / ".hipport/cache.json").unlink()  # its keys depend on a checkout's code, which may change meanwhile
        texts.append((port_json(answer.report, LEXICAL), snapshot(out)))
    assert texts[0] == texts[1] == texts[2]


def test_a_process_that_dies_costs_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipport.porting import pipeline, pool

    if sys.platform != "linux":
        pytest.skip("needs processes that are forked")
    monkeypatch.setattr(pool, "SMALL_BYTES", 0)
    whole = pipeline.find
    parent = os.getpid()

    def find(source: object, *rest: object) -> object:
        if getattr(source, "path", "") == "many/k3.cu" and os.getpid() != parent:
            os._exit(9)
        return whole(source, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "find", find)
    monkeypatch.setattr(pool.units, "__defaults__", (600,))
    import multiprocessing

    if multiprocessing.get_start_method() != "fork":
        pytest.skip("needs processes that are forked")
    repo = make(tree(tmp_path), {f"many/k{n}.cu": KERNEL for n in range(8)})
    report = api.port(repo, tmp_path / "out", config=Config(only=LEXICAL.only, jobs=2)).report
    failed = [file.path for file in report.files if file.outcome.kind is OutcomeKind.FAILED]
    assert failed == ["many/k3.cu"]
    assert (tmp_path / "out/many/k4.hip").is_file()
    assert exit_code(report) == 3


def test_a_fault_of_ours_in_one_file_leaves_the_others_ported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipport.porting import pipeline

    whole = pipeline.find

    def find(source: object, *rest: object) -> object:
        if getattr(source, "path", "") == "src/all.cpp":
            raise RecursionError("too deep")
        return whole(source, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "find", find)
    report = api.port(tree(tmp_path), tmp_path / "out", config=LEXICAL).report
    assert {f.path: f.outcome.reason for f in report.files if f.outcome.kind is OutcomeKind.FAILED} == {
        "src/all.cpp": "hipport failed on it: RecursionError: too deep"
    }
    assert (tmp_path / "out/src/scale.hip").read_bytes() == PORTED
    assert (tmp_path / "out/src/all.cpp").read_bytes() == (tmp_path / "repo/src/all.cpp").read_bytes()
    assert exit_code(report) == 3


def growing(monkeypatch: pytest.MonkeyPatch, *, insists: bool) -> None:
    """Add a rule that finds something to do in its own result; if it `insists`, it cannot be ignored either."""
    from hipport.model import Edit, Finding, Safety, Span
    from hipport.porting import pipeline

    whole = pipeline.find

    def find(source: pipeline.SourceFile, port: pipeline.Port, around: pipeline.Surroundings) -> tuple[Finding, ...]:
        found = whole(source, port, around)
        if "grow" in port.config.ignore and not insists:
            return found
        span = Span(source.path, 0, 0)
        grown = Finding("grow", span, "m", Safety.SAFE, Status.RENAMED, "runtime", edits=(Edit(span, b"// x\n"),))
        return (*found, grown)

    monkeypatch.setattr(pipeline, "find", find)


def test_the_guard_drops_a_rule_that_would_change_its_own_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(monkeypatch, insists=False)
    report = api.port(make(tmp_path / "repo", {"k.cu": KERNEL}), tmp_path / "out", config=LEXICAL).report
    assert (tmp_path / "out/k.hip").read_bytes() == PORTED
    (item,) = report.files[0].findings
    assert (item.finding.rule, item.applied, "second pass" in item.reason) == ("grow", False, True)
    assert exit_code(report) == 1


def test_the_guard_leaves_a_file_alone_that_a_second_pass_would_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing(monkeypatch, insists=True)
    report = api.port(make(tmp_path / "repo", {"k.cu": KERNEL}), tmp_path / "out", config=LEXICAL).report
    assert report.files[0].outcome.kind is OutcomeKind.FAILED
    assert "second pass" in report.files[0].outcome.reason
    assert (tmp_path / "out/k.hip").read_bytes() == KERNEL
    assert exit_code(report) == 3


def test_the_guard_leaves_a_file_alone_whose_brackets_would_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hipport.model import Edit, Finding, Safety, Span
    from hipport.porting import pipeline

    def find(source: pipeline.SourceFile, *_: object) -> tuple[Finding, ...]:
        at = source.data.find(b"{")
        span = Span(source.path, at, at)
        return (Finding("open", span, "m", Safety.SAFE, Status.RENAMED, "runtime", edits=(Edit(span, b"("),)),)

    monkeypatch.setattr(pipeline, "find", find)
    report = api.port(make(tmp_path / "repo", {"k.cu": KERNEL}), tmp_path / "out", config=LEXICAL).report
    assert "without a partner" in report.files[0].outcome.reason
    assert (tmp_path / "out/k.hip").read_bytes() == KERNEL
    assert exit_code(report) == 3


def test_select_ignore_and_only(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    for config in (
        Config(only=(Stage.BUILD,)),
        Config(only=LEXICAL.only, ignore=("rename", "include", "runtime")),
        Config(only=LEXICAL.only, select=("cublas",)),
    ):
        report = api.port(repo, config=config).report
        assert coverage(report.files).denominator == 0


def test_the_command_line_says_what_it_did(tmp_path: Path) -> None:
    repo = tree(tmp_path)
    run = hipport("port", "repo", "-o", "out", "--only", "rename,build", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert b"files: 2 ported, 3 unchanged\n" in run.stdout
    assert run.stderr == b""
    assert hipport("port", repo, "-q", "--only", "rename").stdout == b""
    verbose = hipport("port", repo, "-v", "--only", "rename").stdout
    assert b"src/scale.cu:6:1: renamed rename: `cudaError_t` is `hipError_t`" in verbose
    document = json.loads(hipport("port", repo, "--json", "--only", "rename").stdout)
    assert document["denominator"] == sum(document["statuses"].values()) == 6
    run = hipport("port", repo, "--format", "md", "--output", tmp_path / "report.md", "--only", "rename")
    assert run.stdout == b""
    assert (tmp_path / "report.md").read_text().startswith("# Port report\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("port", "missing"), 2, "missing"),
        (("port", "repo", "--target", "sm_90"), 2, "`sm_90` is no AMD target"),
        (("port", "repo", "-o", "out", "--patch"), 2, "exclude each other"),
        (("port", "repo/src/scale.cu", "-o", "repo"), 2, "is a folder"),
        (("port", "repo/src/scale.cu", "-o", "no/k.hip"), 2, "is no folder"),
        (("port", "repo", "--output", "no/report", "--only", "rename"), 3, "report cannot be written"),
        (("port", "repo", "--output", "/dev/full", "--only", "rename"), 3, "No space left"),
    ],
)
def test_exit_codes(words: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    if "/dev/full" in words and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    tree(tmp_path)
    run = hipport(*words, cwd=tmp_path)
    assert run.returncode == code
    assert said in run.stderr.decode()
    assert b"Traceback" not in run.stderr


def test_the_report_has_one_denominator_in_every_format(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {"src/odd.cu": "void f(char* p) { optixInit(); cudaFree(p); }\n"})
    answer = api.port(repo, config=LEXICAL, detail=True)
    sums = coverage(answer.report.files)
    listed = [item for file in answer.report.files for item in file.findings]
    assert sums.denominator == sum(sums.by_status.values()) == len(listed)
    assert f"coverage: {sums.denominator} occurrences" in port_text(answer.report)
    assert f"Occurrences of CUDA-only constructs: {sums.denominator}:" in port_markdown(answer.report)
    assert json.loads(port_json(answer.report, LEXICAL))["denominator"] == sums.denominator


def test_the_json_fits_its_published_schema(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).resolve().parents[2] / "docs/schemas/port-1.json").read_text())
    repo = make(
        tree(tmp_path),
        {"src/odd.cu": "void f(char* p) { optixInit(); cudaFree(p); }\n", "src/u.cu": "\0cuda", "src/scale.hip": "x"},
    )
    for detail in (False, True):
        answer = api.port(repo, config=LEXICAL, detail=detail)
        document = json.loads(port_json(answer.report, LEXICAL))
        jsonschema.Draft202012Validator(schema).validate(document)
        assert any(file["findings"] for file in document["files"])


def test_scripts_that_name_sources_or_nvcc_are_told(tmp_path: Path) -> None:
    script = "#!/bin/sh\n# nvcc was here\nnvcc -o app src/scale.cu other.cu\nls my_nvcc nvcc-wrapper src/*.cu\n"
    repo = make(tree(tmp_path), {"build.sh": script, "MANIFEST.in": "recursive-include src *.cu *.cuh\n"})
    answer = api.port(repo, tmp_path / "out", config=LEXICAL)
    found = {
        (file.path, item.line, item.column): item.finding.rule for file in answer.report.files for item in file.findings
    }
    assert found == {
        ("MANIFEST.in", 1, 23): "reference-not-updated",
        ("build.sh", 3, 1): "script-calls-nvcc",
        ("build.sh", 3, 13): "reference-not-updated",
        ("build.sh", 4, 25): "reference-not-updated",
    }
    assert (tmp_path / "out/build.sh").read_text() == script
    assert exit_code(answer.report) == 1


def test_a_header_that_changed_is_read_again_in_one_process(tmp_path: Path) -> None:
    from hipport.porting import kin

    root = make(tmp_path, {"h.cuh": "int a;\n"})
    first = kin.read(root, ["h.cuh", "gone.cuh"])
    make(root, {"h.cuh": "int ab;\n"})
    second = kin.read(root, ["gone.cuh", "h.cuh"])
    assert [one.data for one in (*first, *second)] == [b"int a;\n", b"int ab;\n"]


@needs_git
def test_in_place_does_not_write_over_what_git_ignores(tmp_path: Path) -> None:
    repo = make(tree(tmp_path), {".gitignore": "*.hip\n", "src/scale.hip": "generated once, tuned since\n"})
    (repo / "link.cu").symlink_to("src/scale.cu")
    git(repo, "init", "-q")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "x")
    report = api.port(repo, in_place=True, config=LEXICAL).report
    assert (repo / "src/scale.hip").read_text() == "generated once, tuned since\n"
    assert (repo / "src/scale.cu.hip").read_bytes() == PORTED
    assert b'"scale.cu.hip"' in (repo / "src/all.cpp").read_bytes()
    assert (repo / "link.hip").readlink() == Path("src/scale.cu.hip")
    assert not (repo / "link.cu").is_symlink()
    assert exit_code(report) == 0


def test_what_other_porters_write_over_is_kept(tmp_path: Path) -> None:
    """A header of the repository's own that carries the name which a text replacement would give to another one."""
    repo = make(
        tmp_path / "repo",
        {
            "cuda_util.h": "#pragma once\n#include <cuda_runtime.h>\n",
            "hip_util.h": "#pragma once\n// by hand\n",
            "k.cu": '#include "cuda_util.h"\n#include "sub\\other.cu"\nvoid f() { cudaFree(0); }\n',
            "sub/other.cu": "void g() { cudaFree(0); }\n",
        },
    )
    api.port(repo, tmp_path / "out", config=LEXICAL)
    out = snapshot(tmp_path / "out")
    assert out["hip_util.h"] == b"#pragma once\n// by hand\n"
    assert b"hip/hip_runtime.h" in out["cuda_util.h"]
    assert b'#include "cuda_util.h"\n#include "sub\\other.hip"\n' in out["k.hip"]
    assert b"hipFree" in out["sub/other.hip"]
