//! grid = 1
//! block = 32
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

__global__ void k(const float* in, float* out) {
  float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  reinterpret_cast<float4*>(out)[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}
