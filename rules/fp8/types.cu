// review: cuda_fp8.h __nv_fp8_e4m3 __nv_fp8_e4m3
#include <cuda_fp8.h>

__global__ void quantise(const float* in, __nv_fp8_e4m3* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_fp8_e4m3(in[i]);
}
__device__ __nv_fp8_storage_t bits(float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); }
