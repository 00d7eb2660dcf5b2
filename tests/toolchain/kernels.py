"""Kernels for the tests of compilers: by what they use, and a hundred that differ in what they take."""

from __future__ import annotations

SHUFFLES = """#include <hip/hip_runtime.h>
__global__ void shuffles(float* p, unsigned long long* q) {
  float v = p[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset);
  v += __shfl_xor(v, 1, 32) + __shfl(v, 0) + __shfl_up(v, 1);
  q[threadIdx.x] = __ballot(v > 0.0f) + __popcll(__activemask());
  p[threadIdx.x] = sqrtf(v) + fminf(v, 2.0f);
}
"""
DYNAMIC_LDS = """#include <hip/hip_runtime.h>
extern __shared__ float tile[];
__global__ void dynamic_lds(float* p) {
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x ^ 1];
}
int main() {
  float* p = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&p), 1024) != hipSuccess) return 1;
  dynamic_lds<<<1, 64, 256>>>(p);
  return hipDeviceSynchronize();
}
"""
HALF = """#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
__global__ void halves(__half2* p, __half* q) {
  p[threadIdx.x] = __hfma2(p[threadIdx.x], __float2half2_rn(2.0f), p[threadIdx.x + 1]);
  q[threadIdx.x] = __hadd(q[threadIdx.x], __float2half(1.0f));
}
"""
BFLOAT16 = """#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
__global__ void bfloats(__hip_bfloat16* p) {
  p[threadIdx.x] = __float2bfloat16(__bfloat162float(p[threadIdx.x]) * 3.0f);
}
"""
HIPCUB = """#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
__global__ void block_sums(const float* in, float* out) {
  using Reduce = hipcub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(in[blockIdx.x * 256 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
"""
ROCTHRUST = """#include <thrust/device_vector.h>
#include <thrust/transform.h>
struct Twice { __host__ __device__ float operator()(float v) const { return 2 * v; } };
void twice(thrust::device_vector<float>& v) { thrust::transform(v.begin(), v.end(), v.begin(), Twice()); }
"""
BASIC = {"shuffles": SHUFFLES, "dynamic_lds": DYNAMIC_LDS}
LIBRARIES = {"half": HALF, "bf16": BFLOAT16, "hipcub": HIPCUB, "rocthrust": ROCTHRUST}
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")


def registers(index: int, count: int) -> str:
    """A kernel that keeps `count` values alive, under a bound that makes the larger ones spill."""
    bound = (64, 256, 1024)[index % 3]
    loads = "".join(f"  float v{i} = p[{i} * n + threadIdx.x];\n" for i in range(count))
    work = "".join(f"  v{i} = v{i} * v{(i * 7 + 3) % count} + {i}.5f;\n" for i in range(count))
    stores = "".join(f"  p[{i} * n + threadIdx.x] = v{i};\n" for i in range(count))
    bounds = f"__launch_bounds__({bound}) __attribute__((amdgpu_waves_per_eu({(1, 6, 8)[index % 3]})))"
    return (
        f"__global__ void {bounds} registers_{index}(float* p, int n) {{\n"
        f"{loads}  __builtin_amdgcn_sched_barrier(0);\n{work}  __builtin_amdgcn_sched_barrier(0);\n{stores}}}\n"
    )


def local_memory(index: int, floats: int) -> str:
    """A kernel with an LDS array of `floats` and a private array that is indexed at run time."""
    return f"""__global__ void local_{index}(float* p, int n) {{
  __shared__ float tile[{floats}];
  float own[{8 + index}];
#pragma unroll 1
  for (int i = 0; i < {8 + index}; ++i) own[i] = p[i * n];
#pragma unroll 1
  for (int i = threadIdx.x; i < {floats}; i += blockDim.x) tile[i] = own[(i + n) % {8 + index}];
  __syncthreads();
  p[threadIdx.x] = tile[(threadIdx.x * 5 + n) % {floats}] + own[n % {8 + index}];
}}
"""


def matrix(index: int, tiles: int) -> str:
    """A kernel of matrix instructions whose accumulators may live in AGPRs (CDNA only)."""
    return f"""__global__ void __launch_bounds__(256) matrix_{index}(float* p, float a, float b) {{
  typedef float acc_t __attribute__((ext_vector_type(16)));
  acc_t acc[{tiles}];
  for (int t = 0; t < {tiles}; ++t) for (int i = 0; i < 16; ++i) acc[t][i] = p[(t * 16 + i) * 64 + threadIdx.x];
  for (int k = 0; k < 8; ++k)
    for (int t = 0; t < {tiles}; ++t) acc[t] = __builtin_amdgcn_mfma_f32_32x32x2f32(a + t, b + k, acc[t], 0, 0, 0);
  for (int t = 0; t < {tiles}; ++t) for (int i = 0; i < 16; ++i) p[(t * 16 + i) * 64 + threadIdx.x] = acc[t][i];
}}
"""


def hundred(cdna: bool) -> str:
    """One file of a hundred kernels."""
    parts = ["#include <hip/hip_runtime.h>\n"]
    parts += [registers(i, 4 + i * 2) for i in range(50)]
    parts += [local_memory(i, 64 + i * 331) for i in range(40)]
    parts += [matrix(i, 1 + i % 5) if cdna else registers(50 + i, 3 + i) for i in range(10)]
    return "".join(parts)
