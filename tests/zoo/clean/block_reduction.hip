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
  __shared__ float part[128];
  int i = threadIdx.x;
  part[i] = in[i];
  __syncthreads();
  for (int step = 64; step > 0; step >>= 1) {
    if (i < step) part[i] += part[i + step];
    __syncthreads();
  }
  if (i == 0) out[0] = part[0];
}
