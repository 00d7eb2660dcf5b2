//! grid = 1
//! block = 64
//! [[arg]]
//! name = "out"
//! dtype = "float32"
//! shape = 128
#include <hip/hip_runtime.h>

// Constant memory is not writable from a kernel.
__constant__ float table[64] = {1, 2, 3};
__global__ void k(float* out) {
  volatile float* place = const_cast<float*>(table);
  out[threadIdx.x] = table[threadIdx.x];
  place[threadIdx.x] = 1.0f;  // fault: read_only
}
