//! grid = 1
//! block = 33
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

// 128 floats are 32 float4; the 33rd thread reads past them.
__global__ void k(const float* in, float* out) {
  int i = threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in)[i];  // fault: global_bounds
  out[i] = v.x + v.y + v.z + v.w;
}
