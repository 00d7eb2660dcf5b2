// expect: shuffle-width shuffle-width shuffle-width
// offers: wave-width lane-xor wave-width lane-xor
// warp: native
#include <cuda_runtime.h>

// Each thread stores its warp's sum: with 64 lanes it would be another number.
__global__ void warp_sums(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  y[threadIdx.x] = v;
}

template <typename T>
__device__ T moved(T v, int by) { return __shfl_down_sync(0xffffffff, v, by); }

__global__ void through_a_template(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += moved(v, o);
  y[threadIdx.x] = v;
}

// Each thread decides by its warp's result.
__global__ void largest_of_warp(const int* x, int* y) {
  int v = x[threadIdx.x], m = v;
  for (int o = 16; o > 0; o >>= 1) m = max(m, __shfl_xor_sync(0xffffffff, m, o));
  if (v == m) y[threadIdx.x] = 1;
}


void run(const int* x, int* y) {
  warp_sums<<<1, 128>>>(x, y);
  through_a_template<<<1, 128>>>(x, y);
  largest_of_warp<<<1, 128>>>(x, y);
}
