// __shfl_sync(0xffffffff, v, 0) in a comment
#include <cstdio>
struct Warp { __device__ int __shfl_sync(unsigned, int v, int) const { return v; } };
__device__ int mine(const Warp& w, int v) {
  printf("__shfl_sync(0xffffffff, v, 0)\n");
  return w.__shfl_sync(0xffffffff, v, 0);
}
