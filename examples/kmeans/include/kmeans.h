#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

namespace kmeans {

struct Problem {
  int points;
  int dimensions;
  int clusters;
};

// Bytes of device memory that `fit` needs.
std::size_t workspace_bytes(const Problem& problem);

// Lloyd's iterations. `points` [points, dimensions] and `centers` [clusters, dimensions] are row-major on the device;
// `centers` holds the first guess and the result, `labels` [points] the cluster of each point.
// Returns the sum of squared distances. Throws std::runtime_error.
double fit(const Problem& problem, const float* points, float* centers, int* labels, int iterations, void* workspace,
           cudaStream_t stream);

}  // namespace kmeans
