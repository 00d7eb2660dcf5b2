#include <cuda_runtime.h>

constexpr int kSize = 256;

// Sorts each block's 256 elements upwards; what lies beyond n counts as the largest.
__global__ void bitonic(const int* x, int* y, int n) {
  __shared__ int held[kSize];
  const int i = blockIdx.x * kSize + threadIdx.x;
  held[threadIdx.x] = i < n ? x[i] : 2147483647;
  __syncthreads();
  for (int width = 2; width <= kSize; width *= 2) {
    for (int step = width / 2; step > 0; step /= 2) {
      const int other = threadIdx.x ^ step;
      if (other > threadIdx.x) {
        const bool upwards = (threadIdx.x & width) == 0;
        const int a = held[threadIdx.x];
        const int b = held[other];
        if ((a > b) == upwards) {
          held[threadIdx.x] = b;
          held[other] = a;
        }
      }
      __syncthreads();
    }
  }
  if (i < n) y[i] = held[threadIdx.x];
}
