// targets: gfx942 gfx1100
#include <cuda_runtime.h>
#if !defined(USE_ROCM)
constexpr int kWarpSize = 32;
#elif defined(__GFX9__)
constexpr int kWarpSize = 64;
#else
constexpr int kWarpSize = 32;
#endif
#ifdef USE_ROCM
constexpr int kWarpsPerBlock = 64;  // no width of a wave
#if __AMDGCN_WAVEFRONT_SIZE == 64
#define WAVE_SIZE 64
#endif
#endif

__global__ void sums(const float* x, float* y) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef USE_ROCM
  for (int o = kWarpSize / 2; o > 0; o >>= 1) v += __shfl_xor(v, o);
#endif
  if (threadIdx.x % kWarpSize == 0) y[threadIdx.x / kWarpSize] = v;
}
