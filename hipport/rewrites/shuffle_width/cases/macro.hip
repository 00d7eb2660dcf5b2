// expect: shuffle-width shuffle-width shuffle-width
#define SUM(v, o) v += __shfl_xor(v, o, 32)
#define __shfl_up(v, d) (__shfl_up)(v, d, 32)
template <class T>
__device__ T sum(T v) {
  SUM(v, 16); SUM(v, 8); SUM(v, 4); SUM(v, 2); SUM(v, 1);
  return __shfl(__shfl_up(v, 1), (threadIdx.x & 31) ^ 1, 32);
}
__global__ void use(int* x) { x[threadIdx.x] = sum(x[threadIdx.x]); }
