"""`hipport port` beside torch.utils.hipify in one run: `python -m tests.bench.port [FOLDER]`.

FOLDER holds CUDA sources (HeCBench's src, say); without it the examples are taken, which are too few to compare speeds.
Every figure is CPU time of this machine; quote the ratios.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.check import cpu

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = EXAMPLES / "reduce_histogram" / "histogram.cu"
LAUNCHES = 20000
HIPIFY = """
import sys
from torch.utils.hipify.hipify_python import hipify
source, out = sys.argv[1:]
try:
    hipify(project_directory=source, output_directory=out, includes=[out + "/*"], is_pytorch_extension=True)
except UnicodeDecodeError as error:
    sys.exit(f"stopped at a file that is not UTF-8: {error}")
"""


def main(folder: Path = EXAMPLES) -> None:
    small_file()
    generated_file()
    tree(folder)


def measured(command: list[str]) -> tuple[float, int, int]:
    """CPU seconds, exit code and peak memory (MB, of any process so far) of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, run.returncode, after.ru_maxrss // 1024


def small_file() -> None:
    """One small file from start to end, against the start of an interpreter with the libraries of a command line."""
    python = sys.executable
    base = cpu([python, "-c", "import typer, rich"])
    print(f"python -c 'import typer, rich': {base * 1000:.0f} ms of CPU")
    with tempfile.TemporaryDirectory() as scratch:
        words = [python, "-m", "hipport", "port", str(SMALL), "-o", f"{scratch}/k.hip"]
        for name, command in (("all stages", words), ("--only rename", [*words, "--only", "rename"])):
            seconds = cpu(command)
            print(f"hipport port, one file, {name}: {seconds * 1000:.0f} ms of CPU, {seconds / base:.1f} x the start")


def generated_file() -> None:
    """A generated file of 20,000 kernels and launches."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "generated.cu"
        with path.open("w") as out:
            out.write("#include <cuda_runtime.h>\n")
            for n in range(LAUNCHES):
                out.write(f"__global__ void k{n}(float* p) {{ p[threadIdx.x] += {n}.f; }}\n")
                out.write(f"void run{n}(float* p, cudaStream_t s) {{ k{n}<<<1, 64, 0, s>>>(p); }}\n")
        words = [sys.executable, "-m", "hipport", "port", str(path), "-o", f"{scratch}/k.hip", "--only", "rename"]
        seconds, _, peak = measured(words)
        print(f"a generated file of {path.stat().st_size / 1e6:.1f} MB: {seconds:.2f} s of CPU, peak {peak} MB")


def tree(folder: Path) -> None:
    """Files and megabytes a CPU second in one process, names and includes alone on both sides."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source"
        shutil.copytree(folder, source, ignore=text_only)
        files = [path for path in source.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
        hipport = [sys.executable, "-m", "hipport", "port", str(source), "-o", f"{scratch}/out", "--only", "rename"]
        hipport += ["--jobs", "1", "--quiet"]
        torch = [sys.executable, "-c", HIPIFY, str(source), f"{scratch}/torch"]
        for name, command in (
            ("hipport port", hipport),
            ("hipport port again", hipport),
            ("torch.utils.hipify", torch),
        ):
            seconds, code, peak = measured(command)
            rate = f"{len(files) / seconds:.0f} files, {size / seconds:.2f} MB a CPU s"
            print(
                f"{name}: {len(files)} files, {size:.1f} MB, {seconds:.1f} CPU s, {rate}, peak {peak} MB, exit {code}"
            )


def text_only(folder: str, names: list[str]) -> set[str]:
    """The names to leave out of the comparison: what is not UTF-8 ends torch's run at once."""
    out = set()
    for name in names:
        path = Path(folder) / name
        if path.is_file():
            try:
                path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError):
                out.add(name)
    return out


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:2]))
