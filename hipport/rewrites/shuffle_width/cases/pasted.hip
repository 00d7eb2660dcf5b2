// expect: shuffle-width shuffle-width shuffle-width
#include <cuda_runtime.h>
#define MOVE(way, v, o) __shfl_##way(v, o, 32)
#define SYNCED(name) name##_sync

__global__ void sums(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += MOVE(down, v, o);
  v = SYNCED(__shfl)(0xffffffff, v, 0) + __shfl(v, 1, 32);
  y[threadIdx.x] = v;
}
