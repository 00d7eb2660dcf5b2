//! grid = 1
//! block = 64
//! [[arg]]
//! name = "sum"
//! dtype = "float32"
//! shape = 64
//! fill = "undefined"
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
#include <hip/hip_runtime.h>

// Undefined memory is fine when it is written first.
__global__ void k(float* sum, const float* in) {
  int i = threadIdx.x;
  sum[i] = 0.0f;
  for (int j = 0; j < 4; ++j) sum[i] += in[i + j];
}
