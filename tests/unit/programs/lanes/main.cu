// A CUDA program that touches most of what the wave executor's runtime gives: memory, symbols, launches, events, errors.
#include "kernels.cuh"

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <vector>

#define CHECK(call)                                                   \
  do {                                                                \
    const cudaError_t e = (call);                                     \
    if (e != cudaSuccess) {                                           \
      std::printf("%s: %s\n", #call, cudaGetErrorString(e));          \
      return 1;                                                       \
    }                                                                 \
  } while (0)

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<float> host(n), back(n);
  for (int i = 0; i < n; i++) host[i] = i;
  float *in, *out, *managed;
  CHECK(cudaMalloc(&in, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&out, n * sizeof(float)));
  CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
  const float factors[2] = {2.0f, 3.0f};
  CHECK(cudaMemcpyToSymbol(factor, factors, sizeof factors));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  const dim3 block(128), grid((n + block.x - 1) / block.x);
  scale<float, 1><<<grid, block>>>(in, out, n);
  CHECK(cudaGetLastError());
  void* arguments[] = {&out, &managed, (void*)&n};
  CHECK(cudaLaunchKernel((void*)reversed, dim3(1), dim3(64), arguments, 64 * sizeof(float), nullptr));
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpy(back.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
  int seen = 0;
  CHECK(cudaMemcpyFromSymbol(&seen, counted, sizeof seen));
  bool right = seen == n && ms >= 0;
  for (int i = 0; i < n; i++) right &= back[i] == 3.0f * i && managed[i] == 3.0f * (n - 1 - i);
  thrust::device_vector<int> numbers(std::vector<int>{3, 1, 2});
  thrust::sort(numbers.begin(), numbers.end());
  right &= numbers[0] == 1 && numbers[2] == 3;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("warp %d: %s\n", properties.warpSize, right ? "PASS" : "FAIL");
  scale<float, 0><<<1, 2048>>>(in, out, n);
  std::printf("2048 threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("over the end: %s\n", cudaGetErrorName(cudaMemcpy(in, host.data(), (n + 1) * sizeof(float), cudaMemcpyHostToDevice)));
  if (argc > 2) scale<float, 0><<<grid, block>>>(in, out, n + 1);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(managed));
  return right ? 0 : 1;
}
