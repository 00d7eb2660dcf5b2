#include "check.h"
#include "kernels.h"

#include <algorithm>

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxBlocks = 1024;

// One histogram a warp in shared memory, so that warps do not wait for each other's atomics.
__global__ void __launch_bounds__(kThreads) count_bytes(const uchar4* values, size_t count, unsigned int* bins) {
  extern __shared__ unsigned int counts[];
  for (int i = threadIdx.x; i < kWarps * kBins; i += kThreads) counts[i] = 0;
  __syncthreads();

  unsigned int* mine = counts + threadIdx.x / 32 * kBins;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride) {
    const uchar4 value = values[i];
    atomicAdd(mine + value.x, 1u);
    atomicAdd(mine + value.y, 1u);
    atomicAdd(mine + value.z, 1u);
    atomicAdd(mine + value.w, 1u);
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < kBins; bin += kThreads) {
    unsigned int sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) sum += counts[warp * kBins + bin];
    if (sum) atomicAdd(bins + bin, sum);
  }
}

__global__ void count_rest(const unsigned char* values, int count, unsigned int* bins) {
  if (threadIdx.x < count) atomicAdd(bins + values[threadIdx.x], 1u);
}

// Each warp votes and adds once.
__global__ void __launch_bounds__(kThreads)
    vote_above(const float* values, size_t count, float threshold, unsigned long long* result) {
  const unsigned int lane = threadIdx.x % 32;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  unsigned int above = 0;
  for (size_t base = static_cast<size_t>(blockIdx.x) * kThreads; base < count; base += stride) {
    const size_t i = base + threadIdx.x;
    const bool hit = i < count && values[i] > threshold;
    const unsigned int votes = __ballot_sync(0xffffffffu, hit);
    if (lane == 0) above += __popc(votes);
  }
  if (lane == 0 && above) atomicAdd(result, static_cast<unsigned long long>(above));
}

int blocks_for(size_t count) {
  return static_cast<int>(std::min<size_t>((count + kThreads - 1) / kThreads, kMaxBlocks));
}

}  // namespace

void histogram(const unsigned char* values, size_t count, unsigned int* bins, cudaStream_t stream) {
  CHECK_CUDA(cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned int), stream));
  const size_t quads = count / 4;
  const size_t shared = kWarps * kBins * sizeof(unsigned int);
  if (quads) {
    count_bytes<<<blocks_for(quads), kThreads, shared, stream>>>(reinterpret_cast<const uchar4*>(values), quads, bins);
    CHECK_CUDA(cudaGetLastError());
  }
  const int rest = static_cast<int>(count % 4);
  if (rest) {
    count_rest<<<1, 4, 0, stream>>>(values + quads * 4, rest, bins);
    CHECK_CUDA(cudaGetLastError());
  }
}

void count_above(const float* values, size_t count, float threshold, unsigned long long* result, cudaStream_t stream) {
  if (!count) return;
  vote_above<<<blocks_for(count), kThreads, 0, stream>>>(values, count, threshold, result);
  CHECK_CUDA(cudaGetLastError());
}
