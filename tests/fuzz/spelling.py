"""What surrounds kernels: helpers, macros, launches and the program's own host code, spelled in several ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from tests.fuzz.kernels import Kernel
    from tests.fuzz.pieces import State

PRELUDE = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffff
#define WARP 32
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;
"""

LANEMASK = (
    "__device__ __forceinline__ unsigned lanemask_lt() { return (1u << (threadIdx.x & 31)) - 1; }\n",
    """__device__ __forceinline__ unsigned lanemask_lt() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
""",
)
WARP_SUM = (
    """template <typename T>
__device__ __forceinline__ T warpReduceSum(T v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}
""",
    """template <typename T>
__inline__ __device__ T warpReduceSum(T val) {
#pragma unroll
  for (int mask = warpSize / 2; mask > 0; mask /= 2) val += __shfl_down_sync(FULL_MASK, val, mask);
  return __shfl_sync(FULL_MASK, val, 0);
}
""",
    """template <typename T, int kWidth = 32>
__device__ T warpReduceSum(T v) {
  for (int o = kWidth >> 1; o > 0; o >>= 1) { T other = __shfl_xor_sync(kAllLanes, v, o, kWidth); v = v + other; }
  return v;
}
""",
)
OTHERS = """template <typename T>
__device__ T warp_max(T v) {
  for (int o = 16; o >= 1; o /= 2) {
    T w = __shfl_xor_sync(0xffffffff, v, o);
    v = w > v ? w : v;
  }
  return v;
}
template <typename T>
__device__ T warpAll(T v) {
  return __reduce_max_sync(FULL_MASK, v);
}
__device__ bool leaves(int i, int n, int k) { return i >= n || i % 13 == k; }
__device__ int helped(int row, int c) { return row * 5 + c; }
__device__ void meet() { __syncthreads(); }
template <typename T>
__device__ T exchanged(T* s, int t, T v, int k) {
  s[t] = v;
  __syncthreads();
  return s[k];
}
#define LEAVE_IF(x) if (x) return
#define BARRIER() __syncthreads()
#define WARP_SUM(x) for (int o_ = 16; o_ > 0; o_ /= 2) x += __shfl_xor_sync(FULL_MASK, x, o_, 32)
__device__ void casAdd(int* p, int v) {
  int old = *p, want;
  do {
    want = old;
    old = atomicCAS(p, want, want + v);
  } while (want != old);
}
__device__ int casMax(int* at, int value) {
  int seen = *at;
  while (value > seen) {
    int before = atomicCAS(at, seen, value);
    if (before == seen) break;
    seen = before;
  }
  return seen;
}
"""
BLOCK_SUM = (
    """template <typename T>
__device__ T blockReduceSum(T v, T* part, int t, int size) {
  const int lane = t % 32, wid = t / 32;
  v = warpReduceSum(v);
  if (lane == 0) part[wid] = v;
  __syncthreads();
  v = lane < (size + 31) / 32 ? part[lane] : T(0);
  v = warpReduceSum(v);
  __syncthreads();
  return v;
}
""",
    """template <typename T>
__device__ __forceinline__ T blockReduceSum(T v, T* shared, int t, int size) {
  int lane = t & 31;
  int wid = t >> 5;
  v = warpReduceSum(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  if (wid == 0) {
    v = (t < (size + WARP - 1) / WARP) ? shared[lane] : static_cast<T>(0);
    v = warpReduceSum(v);
    if (lane == 0) shared[0] = v;
  }
  __syncthreads();
  T all = shared[0];
  __syncthreads();
  return all;
}
""",
)
HOST = """
static std::vector<int> given(size_t size) {
  std::vector<int> x(size);
  unsigned s = 12345u + (unsigned)size;
  for (auto& e : x) { s = s * 1664525u + 1013904223u; e = (int)(s >> 16) % 1000; }
  return x;
}

struct Buffers {
  int *in, *out, *acc, *bag;
  size_t size;
  explicit Buffers(size_t n) : size(n) {
    std::vector<int> x = given(n), y(n, -1), z(256, 0), b(n * 40 + 64, -5);
    cudaMalloc((void**)&in, n * sizeof(int));
    cudaMalloc((void**)&out, n * sizeof(int));
    cudaMalloc((void**)&acc, 256 * sizeof(int));
    cudaMalloc((void**)&bag, b.size() * sizeof(int));
    cudaMemcpy(in, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(out, y.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(acc, z.data(), 256 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(bag, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  void save(const char* name) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) { printf("%s: %s\\n", name, cudaGetErrorString(error)); exit(7); }
    std::vector<int> all(size + 256 + size * 40 + 64);
    cudaMemcpy(all.data(), out, size * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(all.data() + size, acc, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(all.data() + size + 256, bag, (size * 40 + 64) * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(all.begin() + size + 256, all.end());
    FILE* f = fopen(name, "wb");
    fwrite(all.data(), sizeof(int), all.size(), f);
    fclose(f);
  }
};
"""


def own_helpers(rng: Random, name: str) -> str:
    """A helper of the kernel's own, now and then, so that files have more than one of a kind."""
    del rng, name
    return ""


def templated(rng: Random, line: str, s: State) -> str:
    """A kernel's statement with the template's own names in place of some types and sizes."""
    if rng.random() < 0.7:
        line = line.replace(f"__shared__ {s.type} ", "__shared__ T ").replace(f"({s.type})", "(T)")
        line = line.replace(f"{s.type} v = ", "T v = ")
    if rng.random() < 0.5:
        line = line.replace(f"[{s.threads}];", "[kBlock];")
    return line


def host(
    rng: Random, called: str, s: State, grid: int, n: int, m: object, out: int, shared: object, rows: int = 0
) -> str:
    """The function that launches a kernel."""
    name = called.partition("<")[0]
    x, y, z = s.block
    word = rng.choice(["int", "int", "size_t", "int64_t"])
    block = str(x) if y * z == 1 else f"dim3({x}, {y}{f', {z}' if z > 1 else ''})"
    blocks, per = str(grid), rows or s.threads
    lines = [f"Buffers b({out + 1});"]
    if -(-n // per) == grid and rng.random() < 0.8:
        blocks = rng.choice([f"(n + {per} - 1) / {per}", f"(n - 1) / {per} + 1", "blocks"] if per > 1 else ["n"])
    if blocks == "blocks":
        lines.append(f"const int threads = {s.threads};\n{word} blocks = (n + {per} - 1) / {per};")
        block = "threads" if y * z == 1 else block
    elif rng.random() < 0.3:
        lines.append(f"dim3 grid({blocks}), block({x}, {y}, {z});")
        blocks, block = "grid", "block"
    elif rng.random() < 0.3 and y * z == 1:
        lines.append(f"const int kThreads = {x};")
        block = "kThreads"
    extra = f", {shared}" if shared != "0" or rng.random() < 0.2 else ""
    lines += [f"{called}<<<{blocks}, {block}{extra}>>>(b.in, b.out, b.acc, b.bag, n, m);", f'b.save("{name}.bin");']
    inner = "\n".join(lines).replace("\n", "\n  ")
    if rng.random() < 0.5:
        return f"static void run_{name}() {{\n  const {word} n = {n};\n  const int m = {m};\n  {inner}\n}}\n"
    launch = f"void launch_{name}({word} n, int m) {{\n  {inner}\n}}\n"
    return f"{launch}static void run_{name}() {{ launch_{name}({n}, {m}); }}\n"


def program(rng: Random, kernels: Sequence[Kernel]) -> str:
    """The whole source: `program NAME` runs one kernel, `program` all of them."""
    parts = [PRELUDE, rng.choice(LANEMASK), rng.choice(WARP_SUM), OTHERS, rng.choice(BLOCK_SUM), ""]
    parts += [kernel.text for kernel in kernels]
    parts.append(HOST)
    parts += [kernel.host for kernel in kernels]
    calls = "\n".join(f'  if (argc < 2 || std::string(argv[1]) == "{k.name}") run_{k.name}();' for k in kernels)
    parts.append(f"int main(int argc, char** argv) {{\n{calls}\n  return 0;\n}}\n")
    return "\n".join(parts)
