#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int total(int* x, int n, cudaStream_t stream) {
  thrust::sort(thrust::cuda::par.on(stream), x, x + n);
  return thrust::reduce(thrust::system::cuda::par.on(stream), x, x + n);
}
