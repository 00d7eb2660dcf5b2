//! grid = 1
//! block = 128
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "bins"
//! dtype = "int32"
//! shape = 16
#include <hip/hip_runtime.h>

__global__ void k(const float* in, int* bins) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[static_cast<int>(in[threadIdx.x]) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = local[threadIdx.x];
}
