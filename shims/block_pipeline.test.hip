#include <hip/hip_cooperative_groups.h>
// out has a row of sums for each kind of pipeline: a block's of two stages, one with roles, a thread's own, and a barrier's.
extern "C" __global__ void block_pipeline(const int *x, int *out, int batches) {
  namespace groups = cooperative_groups;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> both;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> roles;
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ alignas(16) int tile[3 * 1024];
  const auto block = groups::this_thread_block();
  const int t = threadIdx.x, n = blockDim.x;
  int sum = 0;
  {
    auto pipe = cuda::make_pipeline(block, &both);
    for (int next = 0, done = 0; done < batches; ++done) {
      for (; next < batches && next < done + 2; ++next) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile + next % 2 * n, x + next * n, sizeof(int) * n, pipe);
        pipe.producer_commit();
      }
      pipe.consumer_wait();
      sum += tile[done % 2 * n + (t + 1) % n] * (done + 1);
      pipe.consumer_release();
    }
  }
  out[t] = sum;
  block.sync();
  const int half = n / 128 * 64;  // whole waves produce
  if (half) {
    const auto role = t < half ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &roles, role);
    int seen = 0;
    for (int k = 0; k < batches; ++k) {
      int *stage = tile + k % 3 * n;
      if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        for (int i = t; i < n; i += half) cuda::memcpy_async(stage + i, x + k * n + i, cuda::aligned_size_t<4>(sizeof(int)), pipe);
        pipe.producer_commit();
      } else {
        pipe.consumer_wait();
        seen += stage[(t * 7 + k) % n];
        pipe.consumer_release();
      }
    }
    out[n + t] = seen;
  }
  block.sync();
  auto own = cuda::make_pipeline();
  own.producer_acquire();
  cuda::memcpy_async(tile + t, x + t, sizeof(int), own);
  own.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(own);
  out[2 * n + t] = tile[t];
  own.consumer_release();
  block.sync();
  if (t == 0) init(&ready, n);
  block.sync();
  cuda::memcpy_async(block, (char *)tile + 1, (const char *)x + 1, sizeof(int) * n - 2, ready);
  ready.arrive_and_wait();
  out[3 * n + t] = ((const unsigned char *)tile)[1 + (t * 5) % (4 * n - 2)];
}
