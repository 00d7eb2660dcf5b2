// expect: fp8-format fp8-format fp8-format fp8-format
#include <cuda_fp8.h>

__global__ void quantise(const float* in, __nv_fp8_e4m3* out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_fp8_e4m3(in[i] * scale);
}
__global__ void pack(const float4* in, __nv_fp8x4_e4m3* out) { out[threadIdx.x] = __nv_fp8x4_e4m3(in[threadIdx.x]); }
