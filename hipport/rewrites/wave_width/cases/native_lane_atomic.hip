// expect: wave-width shuffle-width
// warp: native
#include <cuda_runtime.h>

// One lane of each warp adds its sum: the total is the same for any width.
__global__ void total(const int* x, int* y, int n) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += x[i];
  for (int o = (warpSize / 2); o > 0; o >>= 1) v += __shfl_down(v, o);
  if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(y, v);
}

void run(const int* x, int* y, int n) { total<<<8, 256>>>(x, y, n); }
