// review: cuFuncSetAttribute cuFuncSetAttribute
#include <cuda.h>

// What AMD's runtime supports for a device only, and attributes whose constants are of another type there.
CUresult prepare(CUfunction function) {
  CUfunc_cache cache;
  CUsharedconfig banks;
  unsigned flags;
  int registers;
  cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED);
  cuCtxGetCacheConfig(&cache);
  cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
  cuCtxGetSharedMemConfig(&banks);
  cuCtxGetFlags(&flags);
  cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1);
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536);
  cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
  return cuCtxSynchronize();
}
