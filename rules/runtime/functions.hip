// review: cudaDeviceProp
#include <hip/hip_runtime.h>
#include <cstdio>

#define CHECK(call)                                                     \
  do {                                                                  \
    hipError_t code = (call);                                          \
    if (code != hipSuccess) printf("%s\n", hipGetErrorString(code));  \
  } while (0)

__constant__ float scale[16];

__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= scale[i % 16];
}

void run(float* host, int n, hipStream_t stream) {
  float *device = nullptr, *managed = nullptr, *pinned = nullptr;
  CHECK(hipMalloc(&device, n * sizeof(float)));
  CHECK(hipMallocManaged(&managed, n * sizeof(float)));
  CHECK(hipHostMalloc((void**)&pinned, n * sizeof(float)));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(scale), host, sizeof(scale)));
  CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(scale), host, sizeof(scale), 0, hipMemcpyHostToDevice, stream));
  CHECK(hipMemcpyAsync(device, host, n * sizeof(float), hipMemcpyHostToDevice, stream));
  CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(twice), hipFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(twice), hipFuncAttributePreferredSharedMemoryCarveout, 100));
  CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(twice), hipFuncAttributePreferredSharedMemoryCarveout, -1));
  twice<<<(n + 255) / 256, 256, 0, stream>>>(device, n);
  CHECK(hipPeekAtLastError());
  CHECK(hipMemcpyFromSymbol(host, HIP_SYMBOL(scale), sizeof(scale)));
  hipEvent_t event;
  CHECK(hipEventCreate(&event));
  CHECK(hipEventRecord(event, stream));
  CHECK(hipStreamWaitEvent(stream, event, 0));
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(hipDeviceSynchronize());
  CHECK(hipHostFree(pinned));
  CHECK(hipFree(managed));
  CHECK(hipFree(device));
}
