// Votes of the block are those of CUDA on every wave: nothing to do.
#include <cuda_runtime.h>

__global__ void block_votes(const int* x, int* y, int* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int all = __syncthreads_and(x[i] > 2), any = __syncthreads_or(x[i] > 90);
  y[i] = __syncthreads_count(x[i] & 1);
  z[i] = (all != 0) * 2 + (any != 0);
}
