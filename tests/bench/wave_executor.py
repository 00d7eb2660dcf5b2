"""The wave executor beside plain C++: nanoseconds of CPU for each access, with every access checked.

    python -m tests.bench.wave_executor [--threads 1]

The plain forms are the same loops without threads, barriers or checks, compiled by the same compiler at -O1 and -O2.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from hipport.device import Limits, device
from hipport.device.wave.compiler import cxx_compiler

KERNELS = """
__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a[y][x] = A[row * n + k + x];
    b[y][x] = B[(k + y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += a[y][j] * b[j][x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float part[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  for (int s = 16; s; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int s = 16; s; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}
"""
PLAIN = """
#include <chrono>
#include <cstdio>
#include <vector>
template <class F> void timed(const char* name, double steps, F f) {
  double best = 1e9;
  for (int i = 0; i < 5; i++) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = took < best ? took : best;
  }
  std::printf("%s %.3f\\n", name, best * 1e9 / steps);
}
int main() {
  const int n = 1 << 20, m = 256;
  std::vector<float> x(n, 1), y(n, 1), c(m * m);
  volatile float sink = 0;
  timed("saxpy", n, [&] { for (int i = 0; i < n; i++) y[i] = 2 * x[i] + y[i]; });
  timed("matmul", (double)m * m * m, [&] {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += x[i * m + k] * y[k * m + j];
        c[i * m + j] = s;
      }
  });
  timed("reduce", n, [&] { float s = 0; for (int i = 0; i < n; i++) s += x[i]; sink = s; });
}
"""


def on_wave(threads: int) -> dict[str, float]:
    """Nanoseconds for each element of saxpy and reduce, each inner step of matmul; the best of three."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "k.cu"
        source.write_text(KERNELS, encoding="utf-8")
        module = device("wave:32", limits=Limits(threads=threads)).build(source)
        n, m = 1 << 20, 256
        x, y, out = np.ones(n, np.float32), np.ones(n, np.float32), np.zeros(64, np.float32)
        a, c = np.ones((m, m), np.float32), np.zeros((m, m), np.float32)

        def best(name: str, steps: float, grid: object, block: object, args: list[object]) -> float:
            return min(module[name](grid=grid, block=block, args=args).seconds for _ in range(3)) * 1e9 / steps  # type: ignore[arg-type]

        return {
            "saxpy": best("saxpy", n, n // 256, 256, [2.0, x, y, n]),
            "matmul": best("matmul", m**3, (m // 16, m // 16), (16, 16), [a, a, c, m]),
            "reduce": best("reduce", n, 64, 256, [x, out, n]),
        }


def plain(level: str) -> dict[str, float]:
    """The same of plain loops."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "plain.cc"
        source.write_text(PLAIN, encoding="utf-8")
        program = Path(folder) / "plain"
        subprocess.run([cxx_compiler().path, "-std=c++17", level, str(source), "-o", str(program)], check=True)
        said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in said.splitlines())}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    rows = {"wave:32": on_wave(parser.parse_args().threads), "C++ -O1": plain("-O1"), "C++ -O2": plain("-O2")}
    print(f"{'ns for each':12} {'saxpy element':>14} {'matmul step':>12} {'reduce element':>15}")
    for name, row in rows.items():
        print(f"{name:12} {row['saxpy']:14.2f} {row['matmul']:12.2f} {row['reduce']:15.2f}")


if __name__ == "__main__":
    main()
