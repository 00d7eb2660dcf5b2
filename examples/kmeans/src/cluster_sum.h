#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace kmeans {

// Moves each center to the mean of its points; an empty cluster keeps its center.
struct ClusterSum {
  int points;
  int dimensions;
  int clusters;

  std::size_t workspace_bytes() const;
  void update(const float* values, const int* labels, float* centers, void* workspace, cudaStream_t stream) const;
};

}  // namespace kmeans
