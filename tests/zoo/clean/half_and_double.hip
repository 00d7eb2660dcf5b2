//! grid = 1
//! block = 64
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "halves"
//! dtype = "float16"
//! shape = 64
//! [[arg]]
//! name = "doubles"
//! dtype = "float64"
//! shape = 64
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

__global__ void k(const float* in, __half* halves, double* doubles) {
  int i = threadIdx.x;
  __half2 pair = __floats2half2_rn(in[i], in[i + 1]);
  halves[i] = __low2half(__hmul2(pair, pair));
  doubles[i] = sqrt(static_cast<double>(in[i])) + exp(-static_cast<double>(in[i]));
}
