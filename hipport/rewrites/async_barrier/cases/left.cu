// expect: async-barrier async-barrier scoped-atomic async-barrier async-barrier async-barrier scoped-atomic async-barrier async-barrier async-barrier async-barrier
#include <cuda/barrier>
using Whole = cuda::barrier<cuda::thread_scope_device>;
using Unnamed = cuda::barrier<>;
using Standard = cuda::std::barrier<>;
__global__ void bulk(const int* x, int* y) {
  __shared__ alignas(128) int tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, x, cuda::aligned_size_t<16>(sizeof(tile)), ready);
  }
  auto token = cuda::device::barrier_arrive_tx(ready, 1, 1024);
  while (!ready.try_wait_for(std::move(token), 10)) {}
  y[threadIdx.x] = tile[threadIdx.x];
}
