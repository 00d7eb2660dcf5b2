//! grid = 1
//! block = 64
//! budget = 200000
//! [[arg]]
//! name = "lock"
//! dtype = "int32"
//! shape = 1
//! [[arg]]
//! name = "out"
//! dtype = "float32"
//! shape = 128
#include <hip/hip_runtime.h>

// The lane that holds the lock waits for the lanes that spin on it: lanes of a wave run together.
__global__ void k(int* lock, float* out) {
  while (atomicCAS(lock, 0, 1) != 0) {  // fault: runaway
  }
  out[0] += 1.0f;
  __threadfence();
  atomicExch(lock, 0);
}
