#pragma once
#include <cuda_runtime.h>

constexpr int kBins = 256;

struct Summary {
  double sum;
  float low;
  float high;
};

// `scratch` holds `summary_blocks()` summaries; `result` is on the device. All are asynchronous on `stream`.
int summary_blocks();
void summarize(const float* values, size_t count, Summary* scratch, Summary* result, cudaStream_t stream);

// `bins` holds kBins counts and is overwritten.
void histogram(const unsigned char* values, size_t count, unsigned int* bins, cudaStream_t stream);

// Adds the number of values above `threshold` to `*result`.
void count_above(const float* values, size_t count, float threshold, unsigned long long* result, cudaStream_t stream);
