#include <hip/hip_runtime.h>
#include <hipcub/block/block_reduce.hpp>
#include <hipcub/device/device_scan.hpp>

template <int BLOCK>
__global__ void sums(const int* x, int* out) {
  using Reduce = hipcub::BlockReduce<int, BLOCK>;
  __shared__ typename Reduce::TempStorage storage;
  int sum = Reduce(storage).Sum(x[blockIdx.x * BLOCK + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void scan(void* storage, size_t& bytes, const int* in, int* out, int n) {
  hipcub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
  sums<128><<<n / 128, 128>>>(in, out);
}
