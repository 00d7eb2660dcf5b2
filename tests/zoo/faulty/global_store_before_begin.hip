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
#include <hip/hip_runtime.h>

// Thread 0 has no left neighbour.
__global__ void k(const float* in, float* out) {
  int i = threadIdx.x;
  out[i - 1] = in[i];  // fault: global_bounds
}
