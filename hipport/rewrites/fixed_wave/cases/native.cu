// expect: fixed-wave fixed-wave
// targets: gfx942 gfx1100
#include <hip/hip_runtime.h>
constexpr int WAVE_SIZE = 64;

__global__ void sums(const float* x, float* y) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor(v, o);
  v += __shfl_xor(v, 32);
  if (threadIdx.x % WAVE_SIZE == 0) y[threadIdx.x / WAVE_SIZE] = v;
}
