#include "check.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

template <typename T>
static T* to_device(const std::vector<T>& host, cudaStream_t stream) {
  T* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpyAsync(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
  return device;
}

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000003;
  if (count == 0) {
    std::fprintf(stderr, "usage: %s [count]\n", argv[0]);
    return EXIT_FAILURE;
  }
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0.5f, 2.0f);
  std::vector<float> values(count);
  std::vector<unsigned char> bytes(count);
  for (float& value : values) value = normal(random);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 24);

  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, %zu values\n", properties.name, count);

  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  float* d_values = to_device(values, stream);
  unsigned char* d_bytes = to_device(bytes, stream);
  Summary* d_summary = nullptr;
  unsigned int* d_bins = nullptr;
  unsigned long long* d_above = nullptr;
  CHECK_CUDA(cudaMalloc(&d_summary, (summary_blocks() + 1) * sizeof(Summary)));
  CHECK_CUDA(cudaMalloc(&d_bins, kBins * sizeof(unsigned int)));
  CHECK_CUDA(cudaMalloc(&d_above, sizeof(unsigned long long)));
  CHECK_CUDA(cudaMemsetAsync(d_above, 0, sizeof(unsigned long long), stream));

  CHECK_CUDA(cudaEventRecord(start, stream));
  summarize(d_values, count, d_summary + 1, d_summary, stream);
  histogram(d_bytes, count, d_bins, stream);
  count_above(d_values, count, 1.0f, d_above, stream);
  CHECK_CUDA(cudaEventRecord(stop, stream));

  Summary summary;
  std::vector<unsigned int> bins(kBins);
  unsigned long long above = 0;
  CHECK_CUDA(cudaMemcpyAsync(&summary, d_summary, sizeof(summary), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaMemcpyAsync(bins.data(), d_bins, kBins * sizeof(unsigned int), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaMemcpyAsync(&above, d_above, sizeof(above), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  float milliseconds = 0.0f;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));

  double sum = 0.0;
  for (float value : values) sum += value;
  std::vector<unsigned int> expected(kBins, 0);
  for (unsigned char byte : bytes) ++expected[byte];
  const auto hits = std::count_if(values.begin(), values.end(), [](float value) { return value > 1.0f; });
  const bool sums = std::fabs(summary.sum - sum) <= 1e-9 * static_cast<double>(count);
  const bool range = summary.low == *std::min_element(values.begin(), values.end()) &&
                     summary.high == *std::max_element(values.begin(), values.end());
  const bool same_bins = bins == expected;
  const bool same_hits = above == static_cast<unsigned long long>(hits);
  std::printf("sum %s, range %s, histogram %s, above %s (%.3f ms)\n", sums ? "ok" : "WRONG", range ? "ok" : "WRONG",
              same_bins ? "ok" : "WRONG", same_hits ? "ok" : "WRONG", milliseconds);

  CHECK_CUDA(cudaFree(d_above));
  CHECK_CUDA(cudaFree(d_bins));
  CHECK_CUDA(cudaFree(d_summary));
  CHECK_CUDA(cudaFree(d_bytes));
  CHECK_CUDA(cudaFree(d_values));
  CHECK_CUDA(cudaEventDestroy(stop));
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaStreamDestroy(stream));
  return sums && range && same_bins && same_hits ? EXIT_SUCCESS : EXIT_FAILURE;
}
