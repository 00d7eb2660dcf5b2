// expect: coalesced-width coalesced-width coalesced-width
// wave32: unchanged
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void odd_bits(const int* x, unsigned* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 0;
  if (x[i] > 4) {
    auto g = cg::coalesced_threads();
    unsigned b = g.ballot(x[i] & 1);
    y[i] = __popc(b) * 64 + g.size();
  }
}

__global__ void warp_sums(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::coalesced_group g = cg::coalesced_threads();
  int v = x[i];
  for (int o = g.size() / 2; o > 0; o /= 2) v += g.shfl_down(v, o);
  if (g.thread_rank() == 0) y[i / 32] = v;
}

__global__ void whole(int* y) {
  y[blockIdx.x * blockDim.x + threadIdx.x] = cg::coalesced_threads().all(threadIdx.x % 3);
}
