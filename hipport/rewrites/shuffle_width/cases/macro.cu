// expect: shuffle-width shuffle-width shuffle-width
#define SUM(v, o) v += __shfl_xor_sync(0xffffffff, v, o)
#define __shfl_up(v, d) __shfl_up_sync(~0u, v, d)
template <class T>
__device__ T sum(T v) {
  SUM(v, 16); SUM(v, 8); SUM(v, 4); SUM(v, 2); SUM(v, 1);
  return __shfl_sync((unsigned)-1, __shfl_up(v, 1), (threadIdx.x & 31) ^ 1);
}
__global__ void use(int* x) { x[threadIdx.x] = sum(x[threadIdx.x]); }
