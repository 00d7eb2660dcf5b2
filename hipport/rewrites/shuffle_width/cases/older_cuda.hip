// expect: shuffle-width ballot-width shuffle-width ballot-width
// Macros that only newer CUDA gets: on AMD the bare names are HIP's own.
#include <cuda_runtime.h>
#if __CUDACC_VER_MAJOR__ >= 9
#define __shfl_down(v, d) (__shfl_down)(v, d, 32)
#define __ballot(p) (unsigned)((__ballot)(p) >> (__lane_id() & 32))
#endif

__global__ void sums(const int* x, int* y, unsigned* bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  for (int o = 16; o > 0; o >>= 1) v += (__shfl_down)(v, o, 32);
  unsigned odd = (unsigned)((__ballot)(x[i] & 1) >> (__lane_id() & 32));
  if (threadIdx.x % 32 == 0) y[i / 32] = v, bits[i / 32] = odd;
}
