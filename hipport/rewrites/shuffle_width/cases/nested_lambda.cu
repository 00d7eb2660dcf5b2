// expect: shuffle-width shuffle-width
template <class F> __device__ int with(F f) { return f(3); }
__global__ void k(int* x) {
  unsigned group = 0xff;
  x[threadIdx.x] = with([&](int d) { return __shfl_sync(group, /* the value */ __shfl_down_sync(group, x[0], d, 8), d, 8); });
}
