#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr float kEpsilon = 1e-5f;

__device__ float block_sum(float value, float* partial) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < blockDim.x / kWarp; ++w) value += partial[w];
  return value;
}

// One block of 128 threads a row.
__global__ void layernorm(const float* x, const float* gamma, const float* beta, float* y, int columns) {
  __shared__ float partial[4];
  const float* row = x + blockIdx.x * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  const float mean = block_sum(sum, partial) / columns;
  float square = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) square += (row[c] - mean) * (row[c] - mean);
  const float scale = rsqrtf(block_sum(square, partial) / columns + kEpsilon);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    y[blockIdx.x * columns + c] = (row[c] - mean) * scale * gamma[c] + beta[c];
  }
}

// dx of the same, from the row's mean and scale.
__global__ void layernorm_backward(const float* dy, const float* x, const float* gamma, const float* means,
                                   const float* scales, float* dx, int columns) {
  __shared__ float partial[4];
  const int start = blockIdx.x * columns;
  const float mean = means[blockIdx.x];
  const float scale = scales[blockIdx.x];
  float sum = 0.0f;
  float dot = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float g = dy[start + c] * gamma[c];
    sum += g;
    dot += g * (x[start + c] - mean) * scale;
  }
  sum = block_sum(sum, partial) / columns;
  dot = block_sum(dot, partial) / columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float g = dy[start + c] * gamma[c];
    dx[start + c] = scale * (g - sum - (x[start + c] - mean) * scale * dot);
  }
}
