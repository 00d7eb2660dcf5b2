"""The isa executor against plain C++ -O2 on one core, in one run: `python -m tests.bench.executor [TARGET]`."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hipport.device import Limits, device
from hipport.device.cpu import assembled, compiler_for, lifted

HERE = Path(__file__).resolve().parent / "kernels"
ROUNDS = 5
MILLION = 1 << 20
SIDE = 512
ROWS = 1024


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel with its launch. `compare` gives what both sides must agree on."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Any, ...]
    output: int


def cases() -> list[Case]:
    """The four kernels with their inputs."""
    random = np.random.default_rng(1)
    ones = random.integers(0, 8, MILLION).astype(np.float32)
    keys = random.integers(0, 1 << 30, MILLION).astype(np.uint32)
    a, b = random.standard_normal((2, SIDE, SIDE)).astype(np.float32)
    x = random.standard_normal((ROWS, ROWS)).astype(np.float32)
    return [
        Case("block_sums", (256,), (256,), (ones, np.zeros(256, np.float32), MILLION), 1),
        Case("histogram", (64,), (256,), (keys, np.zeros(64, np.uint32), MILLION), 1),
        Case("matmul_tiled", (SIDE // 16, SIDE // 16), (16, 16), (a, b, np.zeros((SIDE, SIDE), np.float32), SIDE), 2),
        Case("row_softmax", (ROWS,), (256,), (x, np.zeros((ROWS, ROWS), np.float32), ROWS), 1),
    ]


def native_seconds(case: Case, library: ctypes.CDLL) -> tuple[float, np.ndarray]:
    """The least of some rounds, and the output."""
    best, output = float("inf"), np.zeros(0)
    for _ in range(ROUNDS):
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in case.args]
        words = [arg.ctypes.data_as(ctypes.c_void_p) if isinstance(arg, np.ndarray) else arg for arg in args]
        started = time.perf_counter()
        getattr(library, case.kernel)(*words)
        best = min(best, time.perf_counter() - started)
        output = args[case.output]
    return best, output


def executor_seconds(case: Case, module: Any) -> tuple[float, np.ndarray]:
    """The least of some rounds, and the output."""
    best, output = float("inf"), np.zeros(0)
    for _ in range(ROUNDS):
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in case.args]
        done = module[case.kernel](grid=case.grid, block=case.block, args=args)
        best, output = min(best, done.seconds), args[case.output]
    return best, output


def same(case: Case, ours: np.ndarray, plain: np.ndarray) -> bool:
    """Whether both sides did the same work."""
    if case.kernel == "block_sums":
        return bool(np.isclose(ours.sum(dtype=np.float64), case.args[0].sum(dtype=np.float64), rtol=1e-6))
    return bool(np.allclose(ours, plain, rtol=1e-3, atol=1e-3))


def build_times(target: str) -> tuple[float, float]:
    """Seconds to compile HIP to assembly, and to lift that and compile the C; the cache is passed by."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "fresh.hip"
        source.write_text(
            (HERE / "executor.hip").read_text() + f"// {time.time_ns()}\n__device__ int fresh_{time.time_ns()};\n"
        )
        started = time.perf_counter()
        assembly = assembled(compiler_for(target), source, target, Path(scratch), ())
        middle = time.perf_counter()
        lifted(assembly, target, profile=False)
        return middle - started, time.perf_counter() - middle


def main(words: list[str]) -> int:
    target = words[0] if words else "gfx942"
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "reference.so"
        subprocess.run(
            ["g++", "-O2", "-shared", "-fPIC", str(HERE / "executor_reference.cc"), "-o", str(path)], check=True
        )
        library = ctypes.CDLL(str(path))
        compiling, lifting = build_times(target)
        print(f"{target}: 4 kernels: HIP to assembly {compiling:.2f} s, lifting and compiling {lifting:.2f} s")
        modules = {n: device(f"isa:{target}", limits=Limits(threads=n)).build(HERE / "executor.hip") for n in (1, 2)}
        print(f"{'kernel':14} {'C++ ms':>8} {'1 thread':>9} {'2 threads':>9} {'ratio':>6}  same")
        for case in cases():
            plain, want = native_seconds(case, library)
            one, got = executor_seconds(case, modules[1])
            two, _ = executor_seconds(case, modules[2])
            row = f"{case.kernel:14} {plain * 1e3:8.2f} {one * 1e3:9.2f} {two * 1e3:9.2f} {one / plain:6.1f}"
            print(f"{row}  {same(case, got, want)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
