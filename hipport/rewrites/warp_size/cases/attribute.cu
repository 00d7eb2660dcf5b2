// expect: shuffle-width warp-size shuffle-width warp-size warp-size
#include <cuda_runtime.h>
#define SHFL_DOWN __shfl_down_sync
#define REDUCE(v) for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o)

__device__ int reduce(int v) {
  REDUCE(v);
  return v;
}

__global__ void one_warp(const int* x, int* y) {
  int v = x[blockIdx.x * warpSize + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += SHFL_DOWN(0xffffffff, v, o);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

__global__ void lanes(const int* x, int* y) {
  int v = reduce(x[threadIdx.x]);
  if (threadIdx.x % warpSize == 0) y[threadIdx.x / 32] = v;
}

#define CHECK(call) if ((call) != cudaSuccess) return

void run(const int* x, int* y, int blocks) {
  int width = 0;
  CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrWarpSize, 0));
  one_warp<<<blocks, width>>>(x, y);
  lanes<<<1, 256>>>(x, y);
}
