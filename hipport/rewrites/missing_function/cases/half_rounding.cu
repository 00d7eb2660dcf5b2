// expect: missing-function missing-function
#include <cuda_fp16.h>

__global__ void half_rounding(const __half* x, int* nearest, __half* cut) {
  int i = threadIdx.x;
  nearest[i] = __half2int_rn(x[i]);
  cut[i] = __int2half_rz(2049 + 2 * i);
}
