// review: cudaDevAttrComputeCapabilityMajor cudaDevAttrGpuOverlap cudaDevAttrMultiProcessorCount
#include <cuda_runtime_api.h>

int attributes(int device) {
  int processors = 0, major = 0, overlap = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, device);
  int number = (int)cudaDevAttrMultiProcessorCount;
  return processors + major + overlap + number;
}

bool is_device(const cudaPointerAttributes& a) { return a.type == cudaMemoryTypeDevice; }
