// Right with any number of threads: a leader, the size, the rank.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ int next(int* counter) {
  coalesced_group g = coalesced_threads();
  int first = 0;
  if (g.thread_rank() == 0) first = atomicAdd(counter, (int)g.size());
  return g.thread_rank() + g.shfl(first, 0);
}

__global__ void filter(const int* x, int* y, int* counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 5 == 0) y[next(counter)] = x[i];
  coalesced_threads().sync();
}
