// Types that HIP has, overloads of one's own, and halves that something else adds.
#include <cuda_fp16.h>
__device__ inline __half atomicAdd(__half* address, __half val) { return *address = __hadd(*address, val); }
__device__ inline void atomAdd(__half2* address, __half2 val) { *address = __hadd2(*address, val); }
template <typename T>
__global__ void k(const T* x, T* y, __half* z, __half2* two, int* n, double* d) {
  atomicAdd(y + threadIdx.x, x[threadIdx.x]);
  atomicAdd(z, __float2half(1.0f));
  atomAdd(two, *two);
  atomicAdd(n + threadIdx.x, 1);
  atomicAdd(d + threadIdx.x, 1.0);
}
template __global__ void k<float>(const float*, float*, __half*, __half2*, int*, double*);
