// Three well separated clouds must be found again, with labels and centers as a host version gives them.
#include "kmeans.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

static void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
  }
}

template <typename T>
static T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&device), host.size() * sizeof(T)));
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main() {
  const kmeans::Problem problem{3000, 10, 3};
  std::mt19937 random(11);
  std::normal_distribution<float> noise(0.0f, 0.3f);
  std::vector<float> points(problem.points * problem.dimensions);
  std::vector<float> centers(problem.clusters * problem.dimensions);
  for (int i = 0; i < problem.points; ++i) {
    for (int d = 0; d < problem.dimensions; ++d) {
      points[i * problem.dimensions + d] = 4.0f * (i % problem.clusters) - 0.5f * d + noise(random);
    }
  }
  for (int c = 0; c < problem.clusters; ++c) {  // the first guess is one point of each cloud
    for (int d = 0; d < problem.dimensions; ++d) {
      centers[c * problem.dimensions + d] = points[c * problem.dimensions + d];
    }
  }

  std::vector<double> means(centers.size(), 0.0);
  for (int i = 0; i < problem.points; ++i) {
    for (int d = 0; d < problem.dimensions; ++d) {
      means[i % problem.clusters * problem.dimensions + d] +=
          points[i * problem.dimensions + d] / (problem.points / problem.clusters);
    }
  }
  double expected = 0.0;
  for (int i = 0; i < problem.points; ++i) {
    for (int d = 0; d < problem.dimensions; ++d) {
      const double off = points[i * problem.dimensions + d] - means[i % problem.clusters * problem.dimensions + d];
      expected += off * off;
    }
  }

  float* d_points = to_device(points);
  float* d_centers = to_device(centers);
  int* d_labels = to_device(std::vector<int>(problem.points, -1));
  void* workspace = nullptr;
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMalloc(&workspace, kmeans::workspace_bytes(problem)));
  const double inertia = kmeans::fit(problem, d_points, d_centers, d_labels, 5, workspace, stream);

  std::vector<int> labels(problem.points);
  check(cudaMemcpy(labels.data(), d_labels, labels.size() * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(centers.data(), d_centers, centers.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < problem.points; ++i) wrong += labels[i] != i % problem.clusters;
  for (std::size_t i = 0; i < centers.size(); ++i) wrong += std::fabs(centers[i] - means[i]) > 1e-3;
  wrong += std::fabs(inertia - expected) > 1e-2 * expected;
  std::printf("inertia %.3f (host %.3f), %d wrong\n", inertia, expected, wrong);

  check(cudaFree(workspace));
  check(cudaFree(d_labels));
  check(cudaFree(d_centers));
  check(cudaFree(d_points));
  check(cudaStreamDestroy(stream));
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
