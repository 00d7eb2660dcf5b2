//! grid = 1
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "out"
//! dtype = "float32"
//! shape = 128
//! [[arg]]
//! name = "n"
//! value = 7
#include <hip/hip_runtime.h>

__global__ void k(const float* in, float* out, int n) {
  volatile float mine[32];
  for (int j = 0; j < 32; ++j) mine[j] = in[(threadIdx.x + j) % 128];
  out[threadIdx.x] = mine[n] + mine[31 - n];
}
