#include <cuda_runtime.h>

// Counts of the values 0..63; blocks of 128 threads.
__global__ void histogram(const unsigned char* values, unsigned* bins, int n) {
  __shared__ unsigned local[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[values[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) {
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
  }
}
