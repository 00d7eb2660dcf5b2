#include "cluster_sum.h"

#include "errors.h"

#include <cub/cub.cuh>

namespace kmeans {
namespace {

constexpr int kThreads = 128;

__global__ void number(int* ids, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ids[i] = i;
}

// starts[c] is where the points of cluster c begin in the sorted labels; starts[clusters] is the number of points.
__global__ void find_starts(const int* sorted, int points, int clusters, int* starts) {
  const int cluster = blockIdx.x * blockDim.x + threadIdx.x;
  if (cluster > clusters) return;
  int low = 0;
  int high = points;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sorted[middle] < cluster) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[cluster] = low;
}

// One block a cluster, one thread a dimension: the order of the sum is fixed.
__global__ void mean_of_points(const float* values, const int* ids, const int* starts, int dimensions, float* centers) {
  const int begin = starts[blockIdx.x];
  const int end = starts[blockIdx.x + 1];
  if (begin == end) return;
  for (int d = threadIdx.x; d < dimensions; d += blockDim.x) {
    double sum = 0.0;
    for (int i = begin; i < end; ++i) sum += values[static_cast<size_t>(ids[i]) * dimensions + d];
    centers[static_cast<size_t>(blockIdx.x) * dimensions + d] = static_cast<float>(sum / (end - begin));
  }
}

std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

std::size_t sort_bytes(int points) {
  std::size_t bytes = 0;
  const int* keys = nullptr;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, static_cast<int*>(nullptr), keys,
                                        static_cast<int*>(nullptr), points),
        "size of the sort");
  return bytes;
}

}  // namespace

std::size_t ClusterSum::workspace_bytes() const {
  return 3 * aligned(points * sizeof(int)) + aligned((clusters + 1) * sizeof(int)) + aligned(sort_bytes(points));
}

void ClusterSum::update(const float* values, const int* labels, float* centers, void* workspace,
                        cudaStream_t stream) const {
  char* at = static_cast<char*>(workspace);
  int* ids = reinterpret_cast<int*>(at);
  int* sorted_labels = reinterpret_cast<int*>(at += aligned(points * sizeof(int)));
  int* sorted_ids = reinterpret_cast<int*>(at += aligned(points * sizeof(int)));
  int* starts = reinterpret_cast<int*>(at += aligned(points * sizeof(int)));
  void* scratch = at += aligned((clusters + 1) * sizeof(int));
  std::size_t bytes = sort_bytes(points);

  number<<<(points + kThreads - 1) / kThreads, kThreads, 0, stream>>>(ids, points);
  check(cudaGetLastError(), "number");
  check(cub::DeviceRadixSort::SortPairs(scratch, bytes, labels, sorted_labels, ids, sorted_ids, points, 0,
                                        sizeof(int) * 8, stream),
        "sort by cluster");
  find_starts<<<clusters / kThreads + 1, kThreads, 0, stream>>>(sorted_labels, points, clusters, starts);
  check(cudaGetLastError(), "find_starts");
  mean_of_points<<<clusters, kThreads, 0, stream>>>(values, sorted_ids, starts, dimensions, centers);
  check(cudaGetLastError(), "mean_of_points");
}

}  // namespace kmeans
