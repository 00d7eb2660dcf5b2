// expect: async-barrier async-barrier scoped-atomic async-barrier async-barrier async-barrier
// targets: gfx942 gfx950
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
// The first half of the threads, in whole waves, brings what the others add.
__global__ void roles(const int* x, int* y, int producers, int count) {
  __shared__ int tile[3][1024];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  auto block = cg::this_thread_block();
  const int t = threadIdx.x, n = blockDim.x;
  auto pipe = cuda::make_pipeline(block, &state, (size_t)producers);
  if (t < producers) {
    for (int k = 0; k < count; ++k) {
      pipe.producer_acquire();
      for (int i = t; i < n; i += producers) cuda::memcpy_async(&tile[k % 3][i], x + k * n + i, sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int k = 0; k < count; ++k) {
      pipe.consumer_wait();
      sum += tile[k % 3][(t + k) % n];
      pipe.consumer_release();
    }
    y[t] = sum;
  }
}
