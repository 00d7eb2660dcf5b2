#include <cuda_fp16.h>
__device__ unsigned umax(unsigned a, unsigned b, unsigned c) { return a > b ? a : b > c ? b : c; }
__global__ void k(const float* x, float* y, __half* h, unsigned* u) {
  auto umin = [](unsigned a, unsigned b) { return a - b; };
  u[0] = umin(u[1], u[2]) + umax(u[3], u[4], u[5]) + table.llmin(u[6], u[7]) + other::llmax(u[0], u[1]);
  y[0] = __ldg(x) + __half2float(__hmax_nan(h[0], h[1]));  // what HIP has for halves and floats
}
