//! grid = 1
//! block = 64
//! budget = 200000
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

// The step rounds to nothing: the loop never ends.
__global__ void k(const float* in, float* out) {
  float at = 1.0e9f;
  while (at < 2.0e9f) at += in[1] * 1.0e-3f;  // fault: runaway
  out[threadIdx.x] = at;
}
