"""`hipport check` beside other programs, and `hipport report` over processes: `python -m tests.bench.check [FOLDER]`.

FOLDER holds CUDA sources, one repository a subfolder (HeCBench's src, say); without it the examples are taken. Every
figure is CPU time of this machine; quote the ratios.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hipport import api
from hipport.config import Config

ROUNDS = 7
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = EXAMPLES / "reduce_histogram" / "histogram.cu"
HIPIFY = """
import sys
from torch.utils.hipify.hipify_python import hipify
folder = sys.argv[1]
hipify(project_directory=folder, output_directory=folder, includes=[folder + "/*"], is_pytorch_extension=True)
"""


def main(folder: Path = EXAMPLES) -> None:
    small_file()
    parallel(folder)
    lexical(folder)


def small_file() -> None:
    """One small file from start to end, against the start of an interpreter with the libraries of a command line."""
    python = sys.executable
    base = cpu([python, "-c", "import typer, rich"])
    print(f"python -c 'import typer, rich': {base * 1000:.0f} ms of CPU")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "k.cu"
        shutil.copy(SMALL, copy)
        commands = {
            "hipport check --fast": [python, "-m", "hipport", "check", "--fast", str(copy)],
            "hipport check": [python, "-m", "hipport", "check", str(copy)],
        }
        if shutil.which("clang-format"):
            commands["clang-format --dry-run"] = ["clang-format", "--dry-run", str(copy)]
        if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 0:
            commands["torch.utils.hipify"] = [python, "-c", HIPIFY, scratch]
        for name, command in commands.items():
            seconds = cpu(command)
            print(f"{name}, one file: {seconds * 1000:.0f} ms of CPU, {seconds / base:.1f} x the start")


def cpu(command: list[str]) -> float:
    """The median CPU seconds of a command and its children, after a run that compiles bytecode as pip does."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, capture_output=True, check=False, env=environment)
    taken = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=False, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken)


def lexical(folder: Path) -> None:
    """Files a CPU second in one process."""
    for fast in (True, False):
        started = time.process_time()
        answer = api.check([folder], config=Config(jobs=1), fast=fast)
        seconds = time.process_time() - started
        name = "lexical" if fast else "all rules"
        print(f"check of {answer.files} files, {name}: {answer.files / seconds:.0f} files a CPU second")


def parallel(folder: Path) -> None:
    """The efficiency of two processes, and of two Dask workers: CPU seconds of one over twice the wall time of two."""
    os.environ["HIPPORT_CACHE"] = "off"  # else the second run finds the parses of the first
    repositories = [str(path) for path in sorted(folder.iterdir()) if path.is_dir()]
    alone = wall(repositories, 1)
    print(f"report over {len(repositories)} repositories, one process: {alone:.1f} s")
    if len(os.sched_getaffinity(0)) < 2:
        print("two processes: not measured, this machine has one core")
        return
    print(f"two processes: efficiency {alone / (2 * wall(repositories, 2)):.2f}")
    try:
        from distributed import LocalCluster
    except ImportError:
        print("two Dask workers: not measured, dask.distributed is not installed")
        return
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        api.report(repositories[:4], scheduler=cluster.scheduler_address)  # the workers import what they need
        seconds = wall(repositories, 2, cluster.scheduler_address)
    print(f"two Dask workers: efficiency {alone / (2 * seconds):.2f}")


def wall(repositories: list[str], jobs: int, scheduler: str | None = None) -> float:
    started = time.monotonic()
    api.report(repositories, config=Config(jobs=jobs), scheduler=scheduler)
    return time.monotonic() - started


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
