// expect: shuffle-width shuffle-width
#include <cuda_runtime.h>
#include <cuda_bf16.h>

__device__ __nv_bfloat162 pair_sum(__nv_bfloat162 v) {
  for (int o = 16; o > 0; o >>= 1) v = __hadd2(v, hipport::__shfl_xor(v, o, 32));
  return v;
}

__global__ void scalars(float* x) { x[0] = __shfl(x[threadIdx.x], 0, 32); }
