// expect: shuffle-width ballot-width shuffle-width
#include <cuda_runtime.h>
#define SHFL_DOWN __shfl_down_sync
#define VOTES __ballot_sync
#define SHFL __shfl_sync

__global__ void sums(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  unsigned odd = (unsigned)(__ballot(v & 1) >> (__lane_id() & 32));
  y[threadIdx.x] = __shfl(v, 0, 32) + __popc(odd);
}
