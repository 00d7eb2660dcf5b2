#include <cuda_runtime.h>

constexpr int kTile = 32;

// out[c][r] = in[r][c] by tiles; blocks of 32 x 8 threads.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += 8) {
    if (c < columns && r + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(r + k) * columns + c];
  }
  __syncthreads();
  c = blockIdx.y * kTile + threadIdx.x;
  r = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += 8) {
    if (c < rows && r + k < columns) out[(r + k) * rows + c] = tile[threadIdx.x][threadIdx.y + k];
  }
}
