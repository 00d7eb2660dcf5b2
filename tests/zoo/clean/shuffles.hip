//! grid = 1
//! block = 128
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "out"
//! dtype = "float32"
//! shape = 128
#include <hip/hip_runtime.h>

__global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  for (int step = warpSize / 2; step > 0; step >>= 1) v += __shfl_xor(v, step);
  out[threadIdx.x] = v + __shfl(v, 5) + __shfl_up(v, 1) + __shfl_down(v, 3);
}
