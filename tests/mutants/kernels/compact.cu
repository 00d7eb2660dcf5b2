#include <cuda_runtime.h>

constexpr int kWarp = 32;

// Keeps the positive elements of a block's 256, in their order, and counts them.
__global__ void compact(const int* x, int* kept, int* count, int n) {
  __shared__ int totals[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const bool keep = i < n && x[i] > 0;
  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  const int rank = __popc(votes & ((1u << lane) - 1u));
  if (lane == 0) totals[warp] = __popc(votes);
  __syncthreads();
  int before = 0;
  int all = 0;
  for (int w = 0; w < blockDim.x / kWarp; ++w) {
    if (w < warp) before += totals[w];
    all += totals[w];
  }
  if (keep) kept[blockIdx.x * blockDim.x + before + rank] = x[i];
  if (threadIdx.x == 0) count[blockIdx.x] = all;
}
