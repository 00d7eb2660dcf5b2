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

// Only the first wave fills the tile.
__global__ void k(const float* in, float* out) {
  __shared__ float tile[128];
  int i = threadIdx.x;
  if (i < 64) tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i] * 2.0f;  // fault: uninitialised
}
