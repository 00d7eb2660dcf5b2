"""`hipport report` as a user runs it: rows, formats, kills, resumption, and workers that die."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from hipport import api
from hipport.batch import run, sources
from hipport.batch.store import Store
from hipport.config import Config
from hipport.errors import HipportError
from hipport.porting import pipeline

SAFE = "void f{n}(float** p) {{ cudaMalloc(p, 4); }}\n"
LEFT = "void g{n}(int* p) {{ cudaD3D9GetDevice(p, 0); }}\n"


def make_repositories(folder: Path, count: int) -> list[str]:
    """Repositories of one to four files; every third has something left for a person."""
    made = []
    for n in range(count):
        root = folder / f"repo{n:02}"
        root.mkdir(parents=True)
        for k in range(n % 4 + 1):
            (root / f"k{k}.cu").write_text(SAFE.format(n=k) * (n + 1) + (LEFT.format(n=k) if n % 3 == 0 else ""))
        made.append(str(root))
    return made


def command(folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "hipport", "report", "--from", str(folder / "list.txt"), "--json", *arguments]


def listed(folder: Path, repositories: list[str]) -> None:
    (folder / "list.txt").write_text("\n".join(repositories))


def test_folders_archives_and_failures_are_rows(tmp_path: Path) -> None:
    repositories = make_repositories(tmp_path, 2)
    with tarfile.open(tmp_path / "packed.tar.gz", "w:gz") as packed:
        packed.add(repositories[0], "inside")
    listed(tmp_path, [*repositories, str(tmp_path / "packed.tar.gz"), str(tmp_path / "nowhere")])
    done = subprocess.run(command(tmp_path), capture_output=True, check=False)
    assert done.returncode == 3, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert [row["verdict"] for row in rows.values()] == ["blocked", "builds as is", "blocked", "failed"]
    assert rows["packed.tar.gz"]["statuses"] == rows["repo00"]["statuses"]
    assert "nowhere" in rows["nowhere"]["error"]
    assert rows["repo00"]["hot"][0]["path"] == "k0.cu"


@pytest.mark.parametrize("kind", ["text", "csv", "md", "html"])
def test_every_format_names_every_repository(tmp_path: Path, kind: str) -> None:
    repositories = make_repositories(tmp_path, 3)
    out = tmp_path / "out"
    arguments = [sys.executable, "-m", "hipport", "report", *repositories, "--format", kind, "--output", str(out)]
    assert subprocess.run(arguments, check=False).returncode == 1
    assert all(Path(repository).name in out.read_text() for repository in repositories)


def test_the_json_fits_its_schema(tmp_path: Path) -> None:
    listed(tmp_path, [*make_repositories(tmp_path, 4), str(tmp_path / "nowhere")])
    folder = Path(__file__).resolve().parents[2] / "docs" / "schemas"
    schemas = {name: json.loads((folder / name).read_text()) for name in ("report-1.json", "check-1.json")}
    resources = [(name, DRAFT202012.create_resource(schema)) for name, schema in schemas.items()]
    registry = Registry().with_resources(resources)
    body = json.loads(subprocess.run(command(tmp_path), capture_output=True, check=False).stdout)
    assert any(row["records"] for row in body["rows"])
    Draft202012Validator({"$ref": "report-1.json"}, registry=registry).validate(body)
    done = subprocess.run(
        [sys.executable, "-m", "hipport", "check", "--json"], cwd=tmp_path, capture_output=True, check=False
    )
    Draft202012Validator(schemas["check-1.json"]).validate(json.loads(done.stdout))


def test_no_repository_and_resume_without_store_are_usage_errors(tmp_path: Path) -> None:
    hipport = [sys.executable, "-m", "hipport", "report"]
    for arguments in ([], [str(tmp_path), "--resume"]):
        done = subprocess.run([*hipport, *arguments], capture_output=True, check=False, cwd=tmp_path)
        assert done.returncode == 2, done.stderr


def test_the_report_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    listed(tmp_path, make_repositories(tmp_path, 12))
    runs = [subprocess.run(command(tmp_path, "--jobs", n), capture_output=True, check=False) for n in ("1", "2", "8")]
    assert len({done.stdout for done in runs}) == 1
    assert len(json.loads(runs[0].stdout)["rows"]) == 12


def test_the_trend_is_against_the_last_whole_run(tmp_path: Path) -> None:
    repositories = make_repositories(tmp_path, 1)
    store = tmp_path / "runs.db"
    first = api.report(repositories, store=store).rows[0]
    (Path(repositories[0]) / "new.cu").write_text(LEFT.format(n=9) * 2)
    second = api.report(repositories, store=store).rows[0]
    assert first.before is None
    assert second.before == first.effort < second.effort


def kept(store: Path) -> int:
    """How many repositories a store has kept, of all its runs."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5)) as db:
            return db.execute("select count(*) from repository").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


@pytest.mark.slow
def test_killed_at_random_points_and_resumed_it_equals_an_undisturbed_run(tmp_path: Path) -> None:
    listed(tmp_path, make_repositories(tmp_path, 30))
    whole = subprocess.run(command(tmp_path, "--jobs", "2"), capture_output=True, check=False).stdout
    chance = random.Random(3)  # noqa: S311 - repeatable points
    killed = 0
    for n in range(20):
        store = tmp_path / f"{n % 5}.db"
        enough = kept(store) + chance.randrange(1, 10)
        arguments = command(tmp_path, "--jobs", "2", "--resume", "--store", str(store))
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and kept(store) < enough:
            time.sleep(0.002)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.wait()
    assert killed >= 5
    for n in range(5):
        path = tmp_path / f"{n}.db"
        done = subprocess.run(command(tmp_path, "--resume", "--store", str(path)), capture_output=True, check=False)
        rows = json.loads(done.stdout)["rows"]
        for row in rows:
            row["before"] = None  # a run that was not cut short may be there to compare with
        assert rows == json.loads(whole)["rows"]


def test_a_file_that_kills_its_process_is_its_repositorys_error_alone(tmp_path: Path, monkeypatch) -> None:
    repositories = make_repositories(tmp_path, 8)
    (Path(repositories[4]) / "deadly.cu").write_text(SAFE.format(n=0))
    real = pipeline.find

    def find(source, port, around):
        if source.path == "deadly.cu":
            os._exit(9)
        return real(source, port, around)

    monkeypatch.setattr(pipeline, "find", find)
    context = multiprocessing.get_context("fork")
    batch = run.Batch(Config(), lambda: ProcessPoolExecutor(2, mp_context=context), 2)
    facts = batch.run(sources.listed(repositories, None))
    assert [bool(found.error) for found in facts] == [n == 4 for n in range(8)]
    assert "died" in facts[4].error
    assert [len(found.files) for found in facts[5:]] == [n % 4 + 1 for n in range(5, 8)]


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    repositories = sources.listed(make_repositories(tmp_path, 8), None)

    def stop(progress: run.Progress) -> None:
        if progress.done >= 3:
            raise KeyboardInterrupt

    with Store(tmp_path / "s.db") as store:
        number = store.begin({}, resume=False)
        with pytest.raises(KeyboardInterrupt):
            run.Batch(Config(), lambda: ProcessPoolExecutor(1), 1, (store, number)).run(repositories, stop)
        assert 3 <= len(store.done(number)) < 8


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_report_though_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    repositories = make_repositories(tmp_path, 24)
    alone = api.report(repositories)
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        killed = []

        def kill_one(progress: run.Progress) -> None:
            if progress.done >= 4 and not killed:
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        together = api.report(repositories, scheduler=cluster.scheduler_address, progress=kill_one)
    assert killed
    assert together == alone


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with pytest.raises(HipportError, match="no Dask scheduler"):
        api.report(make_repositories(tmp_path, 1), scheduler="not an address")
