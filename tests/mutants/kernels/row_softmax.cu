#include <cuda_runtime.h>

constexpr int kWarp = 32;

__device__ float block_max(float value, float* partial) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = partial[0];
  for (int w = 1; w < blockDim.x / kWarp; ++w) value = fmaxf(value, partial[w]);
  __syncthreads();
  return value;
}

__device__ float block_sum(float value, float* partial) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < blockDim.x / kWarp; ++w) value += partial[w];
  __syncthreads();
  return value;
}

// One block of 128 threads a row.
__global__ void row_softmax(const float* x, float* y, int columns) {
  __shared__ float partial[4];
  const float* row = x + blockIdx.x * columns;
  float peak = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) peak = fmaxf(peak, row[c]);
  peak = block_max(peak, partial);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(row[c] - peak);
  sum = block_sum(sum, partial);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[blockIdx.x * columns + c] = expf(row[c] - peak) / sum;
}
