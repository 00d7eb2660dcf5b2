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

// 96 slots for 128 threads.
__global__ void k(const float* in, float* out) {
  __shared__ float tile[96];
  int i = threadIdx.x;
  tile[i] = in[i];  // fault: lds_bounds
  __syncthreads();
  out[i] = tile[95 - i % 96];
}
