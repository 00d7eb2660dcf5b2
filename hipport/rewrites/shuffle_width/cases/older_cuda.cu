// expect: shuffle-width ballot-width shuffle-width ballot-width
// Macros that only newer CUDA gets: on AMD the bare names are HIP's own.
#include <cuda_runtime.h>
#if __CUDACC_VER_MAJOR__ >= 9
#define __shfl_down(v, d) __shfl_down_sync(0xffffffff, v, d)
#define __ballot(p) __ballot_sync(0xffffffff, p)
#endif

__global__ void sums(const int* x, int* y, unsigned* bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o);
  unsigned odd = __ballot(x[i] & 1);
  if (threadIdx.x % 32 == 0) y[i / 32] = v, bits[i / 32] = odd;
}
