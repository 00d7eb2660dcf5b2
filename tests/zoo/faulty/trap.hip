//! grid = 1
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
#include <hip/hip_runtime.h>

// What a kernel does that finds its input impossible.
__global__ void k(const float* in) {
  if (in[threadIdx.x] > 60.0f) __builtin_trap();  // fault: trap
}
