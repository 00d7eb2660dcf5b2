// expect: fixed-wave fixed-wave fixed-wave fixed-wave
// targets: gfx942 gfx1100
#include <cuda_runtime.h>
#ifdef USE_ROCM
static constexpr int kWarpSize = 64;
#else
static constexpr int kWarpSize = 32;
#endif
#define MAX_THREADS 1024

__device__ float warp_sum(float v) {
#ifdef USE_ROCM
  static_assert(kWarpSize == 64, "unexpected warp size");
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor(v, o);
  v += __shfl_xor(v, 32, 64);
#else
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
#endif
  return v;
}

__global__ void row_sums(const float* x, float* y) {
  float v = warp_sum(x[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) y[blockIdx.x * blockDim.y + threadIdx.y] = v;
}

void run(const float* x, float* y) {
  row_sums<<<2, dim3(kWarpSize, 4)>>>(x, y);
}
