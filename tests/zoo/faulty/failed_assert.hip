//! grid = 2
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
#include <hip/hip_runtime.h>
#include <cassert>

// Holds for the first block only.
__global__ void k(const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] < 64.0f);  // fault: assert
}
