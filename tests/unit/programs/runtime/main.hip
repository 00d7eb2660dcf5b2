// Exercises the HIP host runtime; each line of output is checked by test_device_whole_programs.py.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels.h"

#define OK(call)                                                                    \
  do {                                                                              \
    const hipError_t error = (call);                                                \
    if (error != hipSuccess) {                                                      \
      std::printf("%s: %s\n", #call, hipGetErrorName(error));                       \
      return 1;                                                                     \
    }                                                                               \
  } while (0)

__constant__ float weights[4];
static __device__ int counter;
__managed__ int shared_total = 5;

__global__ void weigh(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[i & 3];
  if (i < n) atomicAdd(&counter, 1);
  if (i == 0) shared_total += n;
}
__global__ void big_tile(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(128) bounded(float* out) {
  __shared__ float tile[12 * 1024];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

static int copies() {
  float host[64], back[64], *device;
  for (int i = 0; i < 64; ++i) host[i] = i;
  OK(hipMalloc(reinterpret_cast<void**>(&device), sizeof host));
  OK(hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice));
  std::printf("over the end: %s\n", hipGetErrorName(hipMemcpy(device, host, sizeof host + 4, hipMemcpyHostToDevice)));
  std::printf("last: %s", hipGetErrorName(hipGetLastError()));
  std::printf(", then: %s\n", hipGetErrorName(hipGetLastError()));
  const float by[4] = {1, 2, 3, 4};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(weights), by, sizeof by));
  weigh<<<2, 32>>>(device, device, 60);
  OK(hipDeviceSynchronize());
  OK(hipMemcpy(back, device, sizeof back, hipMemcpyDeviceToHost));
  int count = 0;
  OK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  std::printf("weighed: %g %g %g, counted %d, managed %d\n", back[3], back[59], back[63], count, shared_total);
  float *pitched, rows[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, again[3][4] = {};
  size_t pitch = 0;
  OK(hipMallocPitch(reinterpret_cast<void**>(&pitched), &pitch, 16, 3));
  OK(hipMemcpy2D(pitched, pitch, rows, 16, 16, 3, hipMemcpyHostToDevice));
  OK(hipMemset2D(pitched, pitch, 0, 8, 2));
  OK(hipMemcpy2D(again, 16, pitched, pitch, 16, 3, hipMemcpyDeviceToHost));
  std::printf("pitched: %zu, %g %g %g %g\n", pitch, again[0][1], again[1][2], again[2][0], again[2][3]);
  OK(hipFree(pitched));
  OK(hipFree(device));
  std::printf("freed twice: %s\n", hipGetErrorName(hipFree(device)));
  return hipGetLastError() != hipErrorInvalidValue;
}

static int limits() {
  hipDeviceProp_t properties;
  OK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s warp %d, LDS %zu, threads %d\n", properties.gcnArchName, properties.warpSize, properties.sharedMemPerBlock, properties.maxThreadsPerBlock);
  float* out;
  OK(hipMalloc(reinterpret_cast<void**>(&out), 4096));
  big_tile<<<1, 64, 96 * 1024>>>(out);
  std::printf("96 KiB: %s\n", hipGetErrorName(hipGetLastError()));
  big_tile<<<1, 2048, 64>>>(out);
  std::printf("2048 threads: %s\n", hipGetErrorName(hipGetLastError()));
  big_tile<<<0, 64, 256>>>(out);
  std::printf("no block: %s\n", hipGetErrorName(hipGetLastError()));
  bounded<<<1, 129>>>(out);
  std::printf("129 threads of 128: %s\n", hipGetErrorName(hipGetLastError()));
  bounded<<<1, 128, properties.sharedMemPerBlock>>>(out);
  std::printf("LDS with its own: %s\n", hipGetErrorName(hipGetLastError()));
  bounded<<<dim3(1, 1 << 25), dim3(1, 128)>>>(out);
  std::printf("2^32 threads: %s\n", hipGetErrorName(hipGetLastError()));
  void* arguments[] = {&out};
  std::printf("cooperative, no block: %s", hipGetErrorName(hipLaunchCooperativeKernel(bounded, dim3(0), dim3(128), arguments, 0, nullptr)));
  std::printf(", no thread: %s", hipGetErrorName(hipLaunchCooperativeKernel(bounded, dim3(1), dim3(0), arguments, 0, nullptr)));
  std::printf(", too large: %s\n", hipGetErrorName(hipLaunchCooperativeKernel(bounded, dim3(1 << 20), dim3(128), arguments, 0, nullptr)));
  hipFunction_t function;
  OK(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(bounded)));
  (void)hipGetLastError();
  const unsigned shapes[][4] = {{0, 1, 64, 1}, {1, 1, 0, 1}, {1, 1, 2048, 1}, {1, 65537, 64, 1}, {1, 1, 129, 1}, {1, 1, 128, 1}};
  for (const unsigned* shape : shapes) {
    const hipError_t error = hipModuleLaunchKernel(function, shape[0], shape[1], 1, shape[2], shape[3], 1, 0, nullptr, arguments, nullptr);
    std::printf("module %u,%u %u,%u: %s\n", shape[0], shape[1], shape[2], shape[3], hipGetErrorName(error));
  }
  (void)hipGetLastError();
  int blocks = 0, grid = 0, block = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big_tile, 256, 32 * 1024));
  OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, weigh, 0, 0));
  hipFuncAttributes attributes;
  OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(weigh)));
  std::printf("resident: %d, best block %d, static LDS %zu\n", blocks, block, attributes.sharedSizeBytes);
  return hipFree(out) != hipSuccess;
}

static int streams() {
  hipStream_t stream;
  hipEvent_t start, end;
  OK(hipStreamCreate(&stream));
  OK(hipEventCreate(&start));
  OK(hipEventCreate(&end));
  int *device, host[8] = {};
  OK(hipMallocAsync(reinterpret_cast<void**>(&device), sizeof host, stream));
  OK(hipMemsetAsync(device, 0, sizeof host, stream));
  OK(hipEventRecord(start, stream));
  for (int i = 0; i < 3; ++i) add_index(device, 8, stream);
  OK(hipEventRecord(end, stream));
  OK(hipStreamWaitEvent(stream, end, 0));
  OK(hipMemcpyAsync(host, device, sizeof host, hipMemcpyDeviceToHost, stream));
  int called = 0;
  OK(hipLaunchHostFunc(stream, [](void* data) { *static_cast<int*>(data) = 1; }, &called));
  OK(hipStreamSynchronize(stream));
  float milliseconds = -1;
  OK(hipEventElapsedTime(&milliseconds, start, end));
  std::printf("stream: %d %d, callback %d, time %s\n", host[1], host[7], called, milliseconds >= 0 ? "yes" : "no");
  OK(hipFreeAsync(device, stream));
  return hipStreamDestroy(stream) != hipSuccess;
}

int main(int count, char** words) {
  if (count > 1 && !std::strcmp(words[1], "graph")) {
    hipGraph_t graph;
    return hipGraphCreate(&graph, 0) != hipSuccess;
  }
  if (count > 1) return std::atoi(words[1]);
  return copies() || limits() || streams();
}
