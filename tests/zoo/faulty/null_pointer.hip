//! grid = 1
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "out"
//! null = true
#include <hip/hip_runtime.h>

// An optional output that the caller did not give.
__global__ void k(const float* in, float* out) {
  int i = threadIdx.x;
  out[i] = in[i];  // fault: global_bounds
}
