//! grid = 1
//! block = 64
//! [[arg]]
//! name = "keys"
//! dtype = "int32"
//! shape = 64
//! fill = "range"
//! [[arg]]
//! name = "bins"
//! dtype = "int32"
//! shape = 32
#include <hip/hip_runtime.h>

// Keys from 0 to 63, bins for 32.
__global__ void k(const int* keys, int* bins) {
  int key = keys[threadIdx.x];
  atomicAdd(&bins[key], 1);  // fault: global_bounds
}
