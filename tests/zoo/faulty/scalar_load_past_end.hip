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
//! value = 100000
#include <hip/hip_runtime.h>

// A uniform index is loaded by the scalar unit.
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  float scale = in[n];  // fault: constant_bounds
  out[threadIdx.x] = scale;
}
