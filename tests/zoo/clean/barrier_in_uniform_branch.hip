//! grid = 2
//! block = 128
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "out"
//! dtype = "float32"
//! shape = 256
#include <hip/hip_runtime.h>

// Every wave of a block takes the same branch.
__global__ void k(const float* in, float* out) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  if (blockIdx.x == 0) {
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
  } else {
    out[128 + threadIdx.x] = tile[threadIdx.x];
  }
}
