// review: cudaDevAttrComputeCapabilityMajor cudaDevAttrGpuOverlap cudaDevAttrMultiProcessorCount
#include <hip/hip_runtime.h>
#include <hip/hip_runtime_api.h>

int attributes(int device) {
  int processors = 0, major = 0, overlap = 0;
  hipDeviceGetAttribute(&processors, hipDeviceAttributeMultiprocessorCount, device);
  hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, device);
  hipDeviceGetAttribute(&overlap, hipDeviceAttributeAsyncEngineCount, device);
  int number = (int)hipDeviceAttributeMultiprocessorCount;
  return processors + major + overlap + number;
}

bool is_device(const hipPointerAttribute_t& a) { return a.type == hipMemoryTypeDevice; }
