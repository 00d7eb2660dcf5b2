// Kernels that have a bound, use few registers, or may be launched with another block.
#include <cstdlib>
#define CHECK_KERNEL __global__ __launch_bounds__(256)
#define HOLD(x)                                     \
  float v[128];                                     \
  for (int i = 0; i < 128; ++i) v[i] = (x)[i * 64]; \
  for (int i = 0; i < 128; ++i) (x)[i] = v[127 - i] * v[i]
static __global__ void __launch_bounds__(256) bounded(float* x) { HOLD(x); }
static CHECK_KERNEL void by_macro(float* x) { HOLD(x); }
static __global__ void small(float* x) {
  float v[8];
  for (int i = 0; i < 8; ++i) v[i] = x[i * 64];
  for (int i = 0; i < 8; ++i) x[i] = v[7 - i] * v[i];
}
static __global__ void shared(float* x) {
  __shared__ float v[512];
  v[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = v[255 - threadIdx.x];
}
static __global__ void by_data(int* x) {
  int v[256];
  for (int i = 0; i < 256; ++i) v[x[i] & 255] = i;
  for (int i = 0; i < 256; ++i) x[i] = v[i];
}
static __global__ void taken(float* x) { HOLD(x); }
static __global__ void measured(float* x) { HOLD(x); }
static __global__ void chosen(float* x, int n) { HOLD(x); }
static __global__ void large(float* x) { HOLD(x); }
template <int N>
__global__ void templated(float* x) {
  HOLD(x);
}
static void start(void (*kernel)(float*), int threads, float* x) { kernel<<<1, threads>>>(x); }
template <int N>
void run_templated(float* x) {
  templated<N><<<1, N>>>(x);
}
void run(float* x, int* y, int n, char** words) {
  bounded<<<1, 256>>>(x);
  by_macro<<<1, 256>>>(x);
  small<<<1, 256>>>(x);
  shared<<<1, 256>>>(x);
  by_data<<<1, 256>>>(y);
  taken<<<1, 256>>>(x);
  start(taken, n, x);
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, measured);
  measured<<<1, 256>>>(x);
  chosen<<<1, n>>>(x, n);
  chosen<<<1, atoi(words[1])>>>(x, n);
  large<<<1, 1024>>>(x);
  run_templated<128>(x);
}
const int kBlock = 256;
static __global__ void __launch_bounds__(128) by_parameter(float* x) { HOLD(x); }
static __global__ void by_local(float* x) { HOLD(x); }
void run_parameter(float* x, const int kBlock) {
  by_parameter<<<1, kBlock>>>(x);
}
void run_local(float* x, int n) {
  int kBlock = 256;
  if (n < 1000) kBlock /= 2;
  by_local<<<1, kBlock>>>(x);
}
