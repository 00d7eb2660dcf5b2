// expect: async-barrier async-barrier scoped-atomic async-barrier scoped-atomic
#if __has_include(<cuda/barrier>)  // libhipcxx; else the block_barrier shim
#include <cuda/barrier>
#endif
#include <utility>
__device__ int next(cuda::barrier<cuda::thread_scope_block>& met, int* tile, int t, int n) {
  auto token = met.arrive();
  const int other = n - 1 - t;
  met.wait(std::move(token));
  return tile[other];
}
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void phases(const int* x, int* y, int few) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int tile[1024];
  const int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  if (t == 0) init(&met, n);
  __syncthreads();
  tile[t] = x[i];
  int sum = next(met, tile, t, n);
  if (t >= few) {
    met.arrive_and_drop();
    y[i] = sum;
    return;
  }
  met.arrive_and_wait();
  tile[t] = sum;
  met.arrive_and_wait();
  y[i] = sum + tile[few - 1 - t];
}
