// review: cudaDeviceProp
#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call)                                                     \
  do {                                                                  \
    cudaError_t code = (call);                                          \
    if (code != cudaSuccess) printf("%s\n", cudaGetErrorString(code));  \
  } while (0)

__constant__ float scale[16];

__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= scale[i % 16];
}

void run(float* host, int n, cudaStream_t stream) {
  float *device = nullptr, *managed = nullptr, *pinned = nullptr;
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
  CHECK(cudaMallocHost((void**)&pinned, n * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(scale, host, sizeof(scale)));
  CHECK(cudaMemcpyToSymbolAsync(scale, host, sizeof(scale), 0, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  CHECK(cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault));
  twice<<<(n + 255) / 256, 256, 0, stream>>>(device, n);
  CHECK(cudaPeekAtLastError());
  CHECK(cudaMemcpyFromSymbol(host, scale, sizeof(scale)));
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(stream, event, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
  CHECK(cudaFree(device));
}
