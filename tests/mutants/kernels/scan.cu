#include <cuda_runtime.h>

constexpr int kWarp = 32;

// Inclusive prefix sums of each block's 256 elements.
__global__ void scan(const float* x, float* y, int n) {
  __shared__ float totals[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  float value = i < n ? x[i] : 0.0f;
  for (int offset = 1; offset < kWarp; offset *= 2) {
    const float below = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += below;
  }
  if (lane == kWarp - 1) totals[warp] = value;
  __syncthreads();
  float before = 0.0f;
  for (int w = 0; w < warp; ++w) before += totals[w];
  if (i < n) y[i] = value + before;
}
