#include "check.h"
#include "kernels.h"

#include <cfloat>

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;

__device__ Summary merge(Summary a, Summary b) {
  return {a.sum + b.sum, fminf(a.low, b.low), fmaxf(a.high, b.high)};
}

// Lane 0 gets the summary of its warp.
__device__ Summary warp_merge(Summary mine) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    Summary other;
    other.sum = __shfl_down_sync(0xffffffff, mine.sum, offset);
    other.low = __shfl_down_sync(0xffffffff, mine.low, offset);
    other.high = __shfl_down_sync(0xffffffff, mine.high, offset);
    mine = merge(mine, other);
  }
  return mine;
}

// Thread 0 gets the summary of its block.
__device__ Summary block_merge(Summary mine) {
  __shared__ Summary partial[kThreads / kWarp];
  const int lane = threadIdx.x & (kWarp - 1);
  const int warp = threadIdx.x / kWarp;
  mine = warp_merge(mine);
  if (lane == 0) partial[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = lane < kThreads / kWarp ? partial[lane] : Summary{0.0, FLT_MAX, -FLT_MAX};
    mine = warp_merge(mine);
  }
  return mine;
}

__global__ void __launch_bounds__(kThreads) summarize_values(const float* values, size_t count, Summary* out) {
  Summary mine{0.0, FLT_MAX, -FLT_MAX};
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride) {
    const float value = __ldg(values + i);
    mine = merge(mine, {value, value, value});
  }
  mine = block_merge(mine);
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

__global__ void __launch_bounds__(kThreads) merge_summaries(const Summary* parts, int count, Summary* out) {
  Summary mine{0.0, FLT_MAX, -FLT_MAX};
  for (int i = threadIdx.x; i < count; i += kThreads) mine = merge(mine, parts[i]);
  mine = block_merge(mine);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

int summary_blocks() {
  int device = 0;
  int processors = 0;
  int blocks = 0;
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, summarize_values, kThreads, 0));
  return processors * blocks;
}

void summarize(const float* values, size_t count, Summary* scratch, Summary* result, cudaStream_t stream) {
  const int blocks = summary_blocks();
  summarize_values<<<blocks, kThreads, 0, stream>>>(values, count, scratch);
  CHECK_CUDA(cudaGetLastError());
  merge_summaries<<<1, kThreads, 0, stream>>>(scratch, blocks, result);
  CHECK_CUDA(cudaGetLastError());
}
