//! grid = 1
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
#include <hip/hip_runtime.h>

__global__ void k(const float* in) {
  if (threadIdx.x == 3) printf("lane %d has %.1f of %s\n", threadIdx.x, in[3], "in");
}
