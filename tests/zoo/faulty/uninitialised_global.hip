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

// Accumulates into memory that nobody cleared.
__global__ void k(float* sum, const float* in) {
  int i = threadIdx.x;
  sum[i] += in[i];  // fault: uninitialised
}
