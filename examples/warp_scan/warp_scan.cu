#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 256;

// sums[i] is the sum of the values of i's warp of 32 up to and with i.
__global__ void warp_scan(const float* values, float* sums, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  float sum = i < count ? values[i] : 0.0f;  // every lane stays: __activemask() is the whole warp below
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(__activemask(), sum, offset);
    if (lane >= offset) sum += before;
  }
  if (i < count) sums[i] = sum;
}

// packed gets the positive values in their order within each warp; counts[w] is how many warp w has.
__global__ void pack_positive(const float* values, float* packed, int* counts, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const int warp = i / 32;
  const float value = i < count ? values[i] : 0.0f;
  const unsigned votes = __ballot_sync(__activemask(), value > 0.0f);
  const int rank = __popc(votes & ((1u << lane) - 1));
  if (value > 0.0f) packed[warp * 32 + rank] = value;
  if (lane == 0) counts[warp] = __popc(votes);
}

// Every thread gets the largest value of its warp, from the warp's first lane.
__global__ void spread_maximum(const float* values, float* peaks, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float peak = i < count ? values[i] : -3.0e38f;
  for (int offset = 16; offset > 0; offset /= 2) {
    peak = fmaxf(peak, __shfl_down_sync(__activemask(), peak, offset));
  }
  peak = __shfl_sync(__activemask(), peak, 0);
  if (i < count) peaks[i] = peak;
}

int main() {
  const int count = 1000;
  std::vector<float> values(count), sums(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7 - 3);
  float *d_values = nullptr, *d_sums = nullptr;
  cudaMalloc(&d_values, count * sizeof(float));
  cudaMalloc(&d_sums, count * sizeof(float));
  cudaMemcpy(d_values, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  warp_scan<<<(count + kThreads - 1) / kThreads, kThreads>>>(d_values, d_sums, count);
  if (cudaMemcpy(sums.data(), d_sums, count * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return EXIT_FAILURE;
  int wrong = 0;
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    sum = i % 32 ? sum + values[i] : values[i];
    wrong += sums[i] != sum;
  }
  cudaFree(d_values);
  cudaFree(d_sums);
  std::printf("%d of %d sums are wrong\n", wrong, count);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
