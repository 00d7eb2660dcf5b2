#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// offers: wave-width
// Every thread meets every barrier here: what decides is the same for the block, or no barrier follows.
__global__ void modes(int* x, int mode) {
  switch (mode) {
    case 0: x[threadIdx.x] = 1; __syncthreads(); break;
    default: x[threadIdx.x] = 2;
  }
}
__global__ void called(int* x, int n) {
  auto wait = [&] { __syncthreads(); };
  auto pick = [&](int v) { if (threadIdx.x >= n) return 0; return v; };
  x[threadIdx.x] = pick(n);
  if (n > 3) wait();
}
__global__ void voted(int* x, int n) {
  for (int t = 0; t < 4; ++t) {
    if (__syncthreads_count(x[threadIdx.x]) == 0) break;
    x[threadIdx.x] += t;
    __syncthreads();
  }
}
__global__ void whole(int* x, int n) {
  if (blockIdx.x * blockDim.x >= n) return;
  x[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x >= n) return;
  x[threadIdx.x] = 2;
}
__global__ void shared_end(int* x, int n) {
  __shared__ int done;
  while (true) {
    if (threadIdx.x == 0) done = x[0] > n;
    __syncthreads();
    if (done) break;
    x[threadIdx.x] += 1;
    __syncthreads();
  }
}
__global__ void inner(int* x, int n) {
  for (int t = 0; t < 4; ++t) {
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
      if (x[k] == 3) break;
      if (x[k] == 4) continue;
      x[k] = 1;
    }
    switch (threadIdx.x % 3) {
      case 0: x[0] = t; break;
      default: break;
    }
    __syncthreads();
    if (threadIdx.x >= n) continue;
    x[threadIdx.x] = t;
  }
}
__global__ void tiles(int* x, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x >= n) return;
  tile.sync();
  x[threadIdx.x] = threadIdx.x < n && x[0] ? tile.shfl(n, 0) : 2;
}
__global__ void rounded(int* x, int n) {
  const int size = blockDim.x;
  int i = threadIdx.x;
  while (true) {
    x[i] = 1;
    if (i / size * size < n) continue;
    __syncthreads();
    if (((i / size) * size) >= n) break;
    i += size;
  }
}
