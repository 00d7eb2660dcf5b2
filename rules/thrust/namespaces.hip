#include <hip/hip_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/system/hip/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int total(int* x, int n, hipStream_t stream) {
  thrust::sort(thrust::hip::par.on(stream), x, x + n);
  return thrust::reduce(thrust::system::hip::par.on(stream), x, x + n);
}
