// Embedding tables are looked up by bags of indices. An index out of its table's range is counted and set to row 0.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK_CUDA(call)                                                               \
  do {                                                                                 \
    const cudaError_t status = (call);                                                 \
    if (status != cudaSuccess) {                                                       \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                         \
    }                                                                                  \
  } while (0)

constexpr int kLanes = 32;       // threads that share a bag
constexpr int kBagsPerBlock = 8;

// bags: offsets[b] to offsets[b + 1] in `indices`; consecutive `bags_per_table` bags look up one table
__global__ void bounds_check(const int* table_rows, int* indices, const int* offsets, int bags_per_table, int bags,
                             unsigned long long* violations) {
  const int bag = blockIdx.x * blockDim.y + threadIdx.y;
  if (bag >= bags) return;
  const int rows = table_rows[bag / bags_per_table];
  for (int i = offsets[bag] + threadIdx.x; i < offsets[bag + 1]; i += blockDim.x) {
    const int row = indices[i];
    if (row < 0 || row >= rows) {
      atomicAdd(violations, 1ull);
      indices[i] = 0;
    }
  }
}

template <typename T>
static T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char** argv) {
  const int percent = argc > 1 ? std::atoi(argv[1]) : 10, tables = 8, bags_per_table = 37, bags = tables * bags_per_table;
  std::mt19937 random(11);
  std::vector<int> rows(tables), offsets(bags + 1, 0);
  for (int& count : rows) count = 50 + static_cast<int>(random() % 1000);
  for (int bag = 0; bag < bags; ++bag) offsets[bag + 1] = offsets[bag] + static_cast<int>(random() % 200);
  std::vector<int> indices(offsets[bags]);
  unsigned long long expected = 0;
  for (int bag = 0; bag < bags; ++bag)
    for (int i = offsets[bag]; i < offsets[bag + 1]; ++i) {
      const int limit = rows[bag / bags_per_table];
      const bool bad = static_cast<int>(random() % 100) < percent;
      expected += bad;
      indices[i] = bad ? limit + static_cast<int>(random() % 9) : static_cast<int>(random() % limit);
    }

  int *d_rows = to_device(rows), *d_offsets = to_device(offsets), *d_indices = to_device(indices);
  unsigned long long *d_violations = nullptr, violations = 0;
  CHECK_CUDA(cudaMalloc(&d_violations, sizeof(violations)));
  CHECK_CUDA(cudaMemset(d_violations, 0, sizeof(violations)));
  const dim3 block(kLanes, kBagsPerBlock);
  bounds_check<<<(bags + kBagsPerBlock - 1) / kBagsPerBlock, block>>>(d_rows, d_indices, d_offsets, bags_per_table, bags,
                                                                     d_violations);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpy(&violations, d_violations, sizeof(violations), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(indices.data(), d_indices, indices.size() * sizeof(int), cudaMemcpyDeviceToHost));
  bool inside = true;
  for (int bag = 0; bag < bags; ++bag)
    for (int i = offsets[bag]; i < offsets[bag + 1]; ++i)
      inside = inside && indices[i] >= 0 && indices[i] < rows[bag / bags_per_table];
  const bool right = inside && violations == expected;
  std::printf("%s: %llu violations in %zu indices\n", right ? "PASS" : "FAIL", violations, indices.size());
  CHECK_CUDA(cudaFree(d_rows));
  CHECK_CUDA(cudaFree(d_offsets));
  CHECK_CUDA(cudaFree(d_indices));
  CHECK_CUDA(cudaFree(d_violations));
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
