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
//! value = 60
#include <hip/hip_runtime.h>

// A halo that the tile does not have.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i + n];  // fault: lds_bounds
}
