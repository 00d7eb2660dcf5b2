#include <cuda_runtime.h>

constexpr int kWarp = 32;

// y = alpha * A x + y, one warp a row; blocks of 4 warps.
__global__ void gemv(const float* a, const float* x, float* y, int rows, int columns, float alpha) {
  const int row = blockIdx.x * 4 + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  float dot = 0.0f;
  for (int c = lane; c < columns; c += kWarp) dot += a[row * columns + c] * x[c];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) dot += __shfl_down_sync(0xffffffffu, dot, offset);
  if (lane == 0) y[row] = alpha * dot + y[row];
}
