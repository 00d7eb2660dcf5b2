#include "kernels.cuh"

// Through shared memory, 64 at a time.
__global__ void reversed(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  for (int first = 0; first < n; first += blockDim.x) {
    const int i = first + threadIdx.x, count = min(int(blockDim.x), n - first);
    if (i < n) tile[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) out[n - first - count + threadIdx.x] = tile[count - 1 - threadIdx.x];
    __syncthreads();
  }
}
