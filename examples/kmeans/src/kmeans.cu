#include "kmeans.h"

#include "cluster_sum.h"
#include "errors.h"

#include <cfloat>
#include <cub/cub.cuh>

namespace kmeans {
namespace {

constexpr int kThreads = 128;

struct Nearest {
  float distance;
  int cluster;
};

struct Closer {
  __device__ Nearest operator()(const Nearest& a, const Nearest& b) const {
    if (b.distance < a.distance) return b;
    return b.distance == a.distance && b.cluster < a.cluster ? b : a;
  }
};

// norms[row] = |rows[row]|^2, one block a row.
__global__ void __launch_bounds__(kThreads) squared_norms(const float* rows, int dimensions, float* norms) {
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0.0f;
  for (int d = threadIdx.x; d < dimensions; d += kThreads) {
    const float value = rows[static_cast<size_t>(blockIdx.x) * dimensions + d];
    sum = fmaf(value, value, sum);
  }
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) norms[blockIdx.x] = sum;
}

// products[point][cluster] = -2 <point, center>, one block a point.
__global__ void __launch_bounds__(kThreads)
    assign(const float* products, const float* point_norms, const float* center_norms, int clusters, int* labels,
           float* distances) {
  using Reduce = cub::BlockReduce<Nearest, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  const size_t point = blockIdx.x;
  Nearest best{FLT_MAX, clusters};
  for (int c = threadIdx.x; c < clusters; c += kThreads) {
    best = Closer()(best, Nearest{products[point * clusters + c] + center_norms[c], c});
  }
  best = Reduce(storage).Reduce(best, Closer());
  if (threadIdx.x == 0) {
    labels[point] = best.cluster;
    distances[point] = fmaxf(best.distance + point_norms[point], 0.0f);
  }
}

std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

std::size_t sum_bytes(int points) {
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, static_cast<const float*>(nullptr), static_cast<float*>(nullptr), points),
        "size of the sum");
  return bytes;
}

class Blas {
 public:
  explicit Blas(cudaStream_t stream) {
    check(cublasCreate(&handle_), "cublasCreate");
    check(cublasSetStream(handle_, stream), "cublasSetStream");
  }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  ~Blas() { cublasDestroy(handle_); }
  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

std::size_t workspace_bytes(const Problem& p) {
  const ClusterSum clusters{p.points, p.dimensions, p.clusters};
  const std::size_t products = static_cast<std::size_t>(p.points) * p.clusters * sizeof(float);
  return aligned(products) + 2 * aligned(p.points * sizeof(float)) + aligned(p.clusters * sizeof(float)) + 256 +
         aligned(sum_bytes(p.points)) + clusters.workspace_bytes();
}

double fit(const Problem& p, const float* points, float* centers, int* labels, int iterations, void* workspace,
           cudaStream_t stream) {
  const ClusterSum clusters{p.points, p.dimensions, p.clusters};
  char* at = static_cast<char*>(workspace);
  float* products = reinterpret_cast<float*>(at);
  float* point_norms =
      reinterpret_cast<float*>(at += aligned(static_cast<std::size_t>(p.points) * p.clusters * sizeof(float)));
  float* distances = reinterpret_cast<float*>(at += aligned(p.points * sizeof(float)));
  float* center_norms = reinterpret_cast<float*>(at += aligned(p.points * sizeof(float)));
  float* total = reinterpret_cast<float*>(at += aligned(p.clusters * sizeof(float)));
  void* sum_scratch = at += 256;
  std::size_t scratch_bytes = sum_bytes(p.points);
  void* cluster_scratch = at += aligned(scratch_bytes);

  const Blas blas(stream);
  const float minus_two = -2.0f;
  const float zero = 0.0f;
  squared_norms<<<p.points, kThreads, 0, stream>>>(points, p.dimensions, point_norms);
  check(cudaGetLastError(), "squared_norms of points");
  for (int iteration = 0; iteration <= iterations; ++iteration) {
    squared_norms<<<p.clusters, kThreads, 0, stream>>>(centers, p.dimensions, center_norms);
    check(cudaGetLastError(), "squared_norms of centers");
    // Row-major [points, clusters] is column-major [clusters, points].
    check(cublasSgemm(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, p.clusters, p.points, p.dimensions, &minus_two, centers,
                      p.dimensions, points, p.dimensions, &zero, products, p.clusters),
          "cublasSgemm");
    assign<<<p.points, kThreads, 0, stream>>>(products, point_norms, center_norms, p.clusters, labels, distances);
    check(cudaGetLastError(), "assign");
    if (iteration < iterations) clusters.update(points, labels, centers, cluster_scratch, stream);
  }
  check(cub::DeviceReduce::Sum(sum_scratch, scratch_bytes, distances, total, p.points, stream), "sum of distances");
  float inertia = 0.0f;
  check(cudaMemcpyAsync(&inertia, total, sizeof(float), cudaMemcpyDeviceToHost, stream), "copy of the sum");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return inertia;
}

}  // namespace kmeans
