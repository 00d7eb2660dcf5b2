// expect: shuffle-width warp-size shuffle-width warp-size warp-size
#include <cuda_runtime.h>
#define SHFL_DOWN __shfl_down_sync
#define REDUCE(v) for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32)

__device__ int reduce(int v) {
  REDUCE(v);
  return v;
}

__global__ void one_warp(const int* x, int* y) {
  int v = x[blockIdx.x * 32 + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

__global__ void lanes(const int* x, int* y) {
  int v = reduce(x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

#define CHECK(call) if ((call) != cudaSuccess) return

void run(const int* x, int* y, int blocks) {
  int width = 0;
  CHECK((width = 32, hipSuccess));
  one_warp<<<blocks, width>>>(x, y);
  lanes<<<1, 256>>>(x, y);
}
