// expect: cg-reduce async-barrier async-barrier async-barrier scoped-atomic async-barrier async-barrier async-barrier async-barrier scoped-atomic async-barrier cg-reduce cg-reduce
#include <cooperative_groups.h>
// cooperative_groups/memcpy_async.h: see the cg_memcpy_async shim
#if __has_include(<cuda/barrier>)  // libhipcxx; else the block_barrier shim
#include <cuda/barrier>
#endif
#if __has_include(<cuda/pipeline>)  // libhipcxx; else the block_pipeline shim
#include <cuda/pipeline>
#endif
namespace cg = cooperative_groups;
// Sums of neighbours in tiles that come two stages ahead.
__global__ void batches(const int* x, int* y, int n, int count) {
  extern __shared__ __align__(16) int tile[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const int size = block.size(), t = block.thread_rank();
  auto pipe = cuda::make_pipeline(block, &state);
  auto have = [&](int k) { return max(0, min(size, n - k * size)); };
  int next = 0;
  for (int k = 0; k < count; ++k) {
    for (; next < count && next < k + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile + next % 2 * size, x + next * size, cuda::aligned_size_t<4>(4 * have(next)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    if (t < have(k)) y[k * size + t] = tile[k % 2 * size + t] + tile[k % 2 * size + have(k) - 1 - t];
    pipe.consumer_release();
  }
}
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void phases(const int* x, int* y, int n) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ int tile[1024];
  __shared__ barrier ready;
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  if (t == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, x, sizeof(int) * block.size(), ready);
  barrier::arrival_token token = ready.arrive();
  const int other = block.size() - 1 - t;
  ready.wait(std::move(token));
  y[t] = tile[other];
  block.sync();
  cg::memcpy_async(block, tile, x + n, sizeof(int) * block.size());
  cg::wait(block);
  y[t + n] = tile[other];
}
