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
//! [[arg]]
//! name = "n"
//! value = 70
#include <hip/hip_runtime.h>

// Threads leave before any barrier, and no barrier follows.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  while (v > 10.0f) v *= 0.5f;
  out[i] = v;
}
