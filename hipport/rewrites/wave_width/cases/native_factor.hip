// expect: warp-size shuffle-width shuffle-width
// offers: wave-width wave-width
// warp: native
#include <cuda_runtime.h>

// The warp size is a factor of an address: with 64 lanes other elements would be read.
__global__ void strided(const int* x, int* y) {
  int v = x[blockIdx.x * 32 + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

// The size of its block is not what the variable began with.
__global__ void sized_later(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

void ask(int* threads);

void run(const int* x, int* y) {
  int threads = 128;
  ask(&threads);
  strided<<<4, 128>>>(x, y);
  sized_later<<<4, threads>>>(x, y);
}
