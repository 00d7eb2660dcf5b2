// What a kernel may ask of the LDS; each line of output is checked by test_device_lds.py.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void tile(float* out) {
  extern __shared__ float dynamic[];
  __shared__ float own[4096];
  own[threadIdx.x] = out[threadIdx.x] + 1;
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x ^ 1] + own[threadIdx.x ^ 2];
}
static const char* name(hipError_t error) {
  (void)hipGetLastError();
  return hipGetErrorName(error);
}
static int number(hipDeviceAttribute_t which) {
  int value = -1;
  return hipDeviceGetAttribute(&value, which, 0) == hipSuccess ? value : -1;
}

int main() {
  const void* kernel = reinterpret_cast<const void*>(tile);
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  const int most = number(hipDeviceAttributeMaxSharedMemoryPerBlock);
  std::printf("block %d, opt-in %d, unit %d %d, reserved %d\n", most, number(hipDeviceAttributeSharedMemPerBlockOptin),
              number(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor), number(hipDeviceAttributeSharedMemPerMultiprocessor),
              number(hipDeviceAttributeReservedSharedMemPerBlock));
  std::printf("properties %d\n", properties.sharedMemPerBlock == size_t(most) && properties.sharedMemPerBlockOptin == size_t(most) &&
                                     properties.maxSharedMemoryPerMultiProcessor == size_t(most));
  hipFuncAttributes taken;
  if (hipFuncGetAttributes(&taken, kernel) != hipSuccess) return 1;
  std::printf("own %zu, left %d\n", taken.sharedSizeBytes, taken.maxDynamicSharedSizeBytes);
  const int left = most - int(taken.sharedSizeBytes);
  for (int size : {0, 49152, left, left + 1, most, 232448, -1})
    std::printf("ask %d: %s\n", size, name(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, size)));
  if (hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, 1024) != hipSuccess) return 1;
  if (hipFuncGetAttributes(&taken, kernel) != hipSuccess) return 1;
  std::printf("asked %d\n", taken.maxDynamicSharedSizeBytes);
  float* out;
  if (hipMalloc(reinterpret_cast<void**>(&out), 256) != hipSuccess || hipMemset(out, 0, 256) != hipSuccess) return 1;
  tile<<<1, 64, left>>>(out);
  std::printf("more than asked for: %s\n", hipGetErrorName(hipGetLastError()));
  tile<<<1, 64, left + 4>>>(out);
  std::printf("more than there is: %s\n", hipGetErrorName(hipGetLastError()) + 8);
  for (int share : {-1, 0, 100, 101, -2})
    std::printf("share %d: %s\n", share, name(hipFuncSetAttribute(kernel, hipFuncAttributePreferredSharedMemoryCarveout, share)));
  std::printf("no kernel: %s\n", name(hipFuncSetAttribute(&most, hipFuncAttributeMaxDynamicSharedMemorySize, 0)));
  std::printf("null: %s\n", name(hipFuncSetAttribute(nullptr, hipFuncAttributeMaxDynamicSharedMemorySize, 0)));
  std::printf("no attribute: %s\n", name(hipFuncSetAttribute(kernel, static_cast<hipFuncAttribute>(99), 0)));
  hipFunction_t function;
  int value = -1;
  if (hipGetFuncBySymbol(&function, kernel) != hipSuccess) return 1;
  if (hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function) != hipSuccess) return 1;
  std::printf("function: left %d, %s\n", value, name(hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, left + 1)));
  float first = 0;
  if (hipMemcpy(&first, out, sizeof first, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("ran: %g\n", first);
  return hipFree(out) != hipSuccess;
}
