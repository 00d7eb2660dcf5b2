// expect: warp-size shuffle-width
#include <cuda_runtime.h>

int width_of(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  return properties.warpSize;
}

__global__ void sums(const int* x, int* y) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

void run(const int* x, int* y, int blocks) { sums<<<blocks, width_of(0)>>>(x, y); }
