// expect: fp8-format
#include <cuda_fp8.h>

__global__ void bits(const float* x, unsigned char* out) {
  int i = threadIdx.x;
  out[i] = hipport::cvt_float_to_fp8(x[i] * 8.0f, __NV_SATFINITE, __NV_E4M3);
}
