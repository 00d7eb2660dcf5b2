// expect: shuffle-width
// offers: wave-width
// warp: native
#include <cuda_runtime.h>

// The size of its block is not what the variable began with.
__global__ void sized_later(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

void ask(int* threads);

void run(const int* x, int* y) {
  int threads = 128;
  ask(&threads);
  sized_later<<<4, threads>>>(x, y);
}
