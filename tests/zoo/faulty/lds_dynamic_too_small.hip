//! grid = 1
//! block = 128
//! shared = 256
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

// The launch gives 256 bytes of dynamic LDS; the kernel uses 512.
extern __shared__ float tile[];
__global__ void k(const float* in, float* out) {
  int i = threadIdx.x;
  tile[i] = in[i];  // fault: lds_bounds
  __syncthreads();
  out[i] = tile[127 - i];
}
