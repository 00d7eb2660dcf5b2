// review: cuda_fp8.h __nv_fp8_e4m3 __nv_fp8_e4m3
#include <hip/hip_runtime.h>
#include <hip/hip_fp8.h>

__global__ void quantise(const float* in, __hip_fp8_e4m3* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hip_fp8_e4m3(in[i]);
}
__device__ __hip_fp8_storage_t bits(float x) { return __hip_cvt_float_to_fp8(x, __HIP_SATFINITE, __HIP_E4M3); }
