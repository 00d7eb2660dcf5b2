// CUDA kernels whose outputs on a real NVIDIA GPU are in ../golden_h200: what warp_width.hip was ported from.
#include <cuda_runtime.h>

__device__ float warp_sum(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  return v;
}

extern "C" __global__ void block_reduce(const float* in, float* out, int n) {
  __shared__ float partial[32];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  v = warp_sum(v);
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp != 0) return;
  v = warp_sum(lane < blockDim.x / warpSize ? partial[lane] : 0.0f);
  if (lane == 0) out[blockIdx.x] = v;
}

extern "C" __global__ void ballot_rank(const int* in, int* rank, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const unsigned votes = __ballot_sync(0xffffffffu, in[i] > 0);
  rank[i] = __popc(votes & ((1u << lane) - 1u));
  if (lane == 0) count[i >> 5] = __popc(votes);
}

extern "C" __global__ void histogram(const unsigned* keys, unsigned* bins, int n, int width) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[keys[i] % width], 1u);
}
