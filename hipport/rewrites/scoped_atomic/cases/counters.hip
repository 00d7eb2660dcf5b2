// expect: scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic
// offers: scoped-atomic
#if __has_include(<cuda/atomic>)  // libhipcxx; else the scoped_atomic shim
#include <cuda/atomic>
#endif
#if __has_include(<cuda/std/atomic>)  // libhipcxx; else the scoped_atomic shim
#include <cuda/std/atomic>
#endif
__global__ void count(const int* x, int* total, float* sums, unsigned* last, int n) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> part;
  if (threadIdx.x == 0) part.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  cuda::atomic_ref<float, cuda::thread_scope_device> sum(sums[blockIdx.x]);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    part += x[i];
    sum.fetch_add((float)x[i], cuda::std::memory_order_relaxed);
    cuda::std::atomic_ref<unsigned>(*last).fetch_max(i);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ::cuda::atomic_ref<int, cuda::thread_scope_device>{*total}.fetch_add(part.load(cuda::memory_order::relaxed));
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  }
}
