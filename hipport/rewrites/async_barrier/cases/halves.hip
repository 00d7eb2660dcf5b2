// expect: async-barrier async-barrier scoped-atomic half-wave-wait half-wave-wait half-wave-wait
#if __has_include(<cuda/barrier>)  // libhipcxx; else the block_barrier shim
#include <cuda/barrier>
#endif
// A warp that fills and a warp that reads are halves of one wave: each would wait for the other.
__global__ void halves(const int* x, int* y) {
  __shared__ cuda::barrier<cuda::thread_scope_block> filled, read;
  __shared__ int tile[32];
  if (threadIdx.x == 0) {
    init(&filled, 64);
    init(&read, 64);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    tile[lane] = x[lane];
    filled.arrive();
    read.arrive_and_wait();
  } else {
    filled.arrive_and_wait();
    y[lane] = tile[31 - lane];
    read.arrive_and_wait();
  }
}
