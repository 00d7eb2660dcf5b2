// expect: shuffle-width shuffle-width shuffle-width
#include <cuda_runtime.h>
#define MOVE(way, v, o) __shfl_##way##_sync(0xffffffff, v, o)
#define SYNCED(name) name##_sync

__global__ void sums(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += MOVE(down, v, o);
  v = SYNCED(__shfl)(0xffffffff, v, 0) + __shfl_sync(0xffffffff, v, 1);
  y[threadIdx.x] = v;
}
