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

// The two waves wait at two different barriers.
__global__ void k(const float* in, float* out) {
  __shared__ float tile[128];
  int i = threadIdx.x;
  tile[i] = in[i];
  if (i < 64) {
    __syncthreads();  // fault: barrier
    out[i] = tile[i + 64];
  } else {
    tile[i] += 1.0f;
    __syncthreads();  // fault: barrier
    out[i] = tile[i - 64];
  }
}
