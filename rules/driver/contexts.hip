// review: cuFuncSetAttribute cuFuncSetAttribute
#include <hip/hip_runtime.h>

// What AMD's runtime supports for a device only, and attributes whose constants are of another type there.
hipError_t prepare(hipFunction_t function) {
  hipFuncCache_t cache;
  hipSharedMemConfig banks;
  unsigned flags;
  int registers;
  hipDeviceSetCacheConfig(hipFuncCachePreferShared);
  hipDeviceGetCacheConfig(&cache);
  hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte);
  hipDeviceGetSharedMemConfig(&banks);
  hipGetDeviceFlags(&flags);
  hipFuncSetCacheConfig(function, hipFuncCachePreferL1);
  hipFuncGetAttribute(&registers, HIP_FUNC_ATTRIBUTE_NUM_REGS, function);
  hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, 65536);
  hipFuncSetAttribute(function, hipFuncAttributePreferredSharedMemoryCarveout, 50);
  return hipDeviceSynchronize();
}
