#include <cuda_bf16.h>

__device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __nv_bfloat162 pair(float a, float b) { return __floats2bfloat162_rn(a, b); }
__global__ void cast(const float* in, nv_bfloat16* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(in[i]);
}
