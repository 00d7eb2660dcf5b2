// expect: shuffle-width ballot-width shuffle-width
#include <cuda_runtime.h>
#define SHFL_DOWN __shfl_down_sync
#define VOTES __ballot_sync
#define SHFL __shfl_sync

__global__ void sums(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += SHFL_DOWN(0xffffffff, v, o);
  unsigned odd = VOTES(0xffffffff, v & 1);
  y[threadIdx.x] = SHFL(0xffffffff, v, 0) + __popc(odd);
}
