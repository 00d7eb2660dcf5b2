"""Names, includes and launches alone, beside torch.utils.hipify in one run: `python -m tests.bench.lexical [FOLDER]`.

FOLDER holds CUDA sources; without it the examples are taken, which are too few to compare speeds. Both sides run in
one process each, starting and reading left out on both; hipport decides and edits in memory, hipify also writes.
Every figure is CPU time of this machine; quote the ratios.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hipport.config import Config, Stage
from hipport.model import SourceFile
from hipport.renames import declared, find
from hipport.renames.table import load
from hipport.source import edits

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SUFFIXES = {".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".c", ".cxx", ".inl"}
ROUNDS = 3
KERNELS = 20000
HIPIFY = """
import sys, time, contextlib, io
from torch.utils.hipify.hipify_python import hipify
source, out = sys.argv[1:]
started = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    hipify(project_directory=source, output_directory=out, includes=[out + "/*"], is_pytorch_extension=True)
print(time.process_time() - started)
"""


def main(folder: Path = EXAMPLES) -> None:
    config, table = Config(only=(Stage.RENAME,)), load()
    sources = readable(folder)
    ours = min(seconds(sources, table, config) for _ in range(ROUNDS))
    said("hipport", sources, ours)
    theirs = hipify(sources)
    if theirs is None:
        print("torch.utils.hipify: not installed, or it failed")
    else:
        said("torch.utils.hipify", sources, theirs)
        print(f"ratio: {theirs / ours:.1f}")
    big = [SourceFile("generated.cu", generated())]
    took = min(seconds(big, table, config) for _ in range(ROUNDS))
    print(f"a generated file of {len(big[0].data) / 1e6:.1f} MB: {took:.2f} s of CPU")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def readable(folder: Path) -> list[SourceFile]:
    """The sources below a folder that are UTF-8: another one ends hipify's run."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        data = path.read_bytes()
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        found.append(SourceFile(path.relative_to(folder).as_posix(), data))
    return found


def seconds(sources: list[SourceFile], table: object, config: Config) -> float:
    started = time.process_time()
    known = frozenset().union(*(declared(source) for source in sources))
    for source in sources:
        edits.apply(source.data, find(source, table, config, known))  # type: ignore[arg-type]
    return time.process_time() - started


def hipify(sources: list[SourceFile]) -> float | None:
    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            path = Path(scratch) / "source" / source.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.data)
        command = [sys.executable, "-c", HIPIFY, f"{scratch}/source", f"{scratch}/out"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return float(run.stdout) if run.returncode == 0 and run.stdout else None


def said(name: str, sources: list[SourceFile], took: float) -> None:
    size = sum(len(source.data) for source in sources)
    lines = sum(source.data.count(b"\n") for source in sources)
    print(
        f"{name}: {len(sources)} files, {size / 1e6:.1f} MB, {took:.2f} CPU s: {len(sources) / took:.0f} files, "
        f"{lines / took / 1000:.0f}k lines, {size / took / 1e6:.2f} MB a CPU s"
    )


def generated() -> bytes:
    """Kernels and launches of a code generator."""
    lines = ["#include <cuda_runtime.h>"]
    for number in range(KERNELS):
        lines.append(f"__global__ void k{number}(float* p) {{ p[threadIdx.x] += {number}.f; }}")
        lines.append(f"void run{number}(float* p, cudaStream_t s) {{ k{number}<<<1, 64, 0, s>>>(p); }}  // stream")
    return "\n".join(lines).encode()


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:2]))
