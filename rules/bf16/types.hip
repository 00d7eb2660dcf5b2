#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>

__device__ float widen(__hip_bfloat16 x) { return __bfloat162float(x); }
__device__ __hip_bfloat162 pair(float a, float b) { return __halves2bfloat162(__float2bfloat16(a), __float2bfloat16(b)); }
__global__ void cast(const float* in, __hip_bfloat16* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(in[i]);
}
