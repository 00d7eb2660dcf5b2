// One thread of a block or a warp, addresses of a thread's own, LDS, results that are used, blocks of one thread.
// offers: atomic-tree
#include <cuda_runtime.h>
__device__ int leaders;
__global__ void aggregated(const int* x, int* total, int* bins, int* list, int n) {
  __shared__ int part;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, x[i]);
  if (threadIdx.x == 0) atomicAdd(total, part);
  if (lane == 0) atomicAdd(&leaders, 1);
  if (!threadIdx.x) atomicMax(total + 1, part);
  atomicAdd(&bins[x[i]], 1);
  atomicAdd(bins + i % 7, 1);
  atomicAdd(bins + *list, 1);
  if (x[i] > 0) list[atomicAdd(total + 2, 1)] = i;
  total += n;
  atomicAdd(total, 1);
}
__global__ void others_left(const int* x, int* total) {
  if (threadIdx.x > 0) return;
  for (int k = 0; k < 9; ++k) atomicAdd(total, x[k]);
}
__global__ void alone(const int* x, int* total) { atomicAdd(total, x[blockIdx.x]); }
__global__ void first(const int* x, int* warned) {
  if (x[threadIdx.x] < 0 && atomicAdd(warned, 1) == 0) printf("below zero\n");
}
void run(const int* x, int* total) { alone<<<100, 1>>>(x, total); }
