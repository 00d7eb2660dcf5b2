// What a kernel takes and may ask for: attributes that can be read, limits that can be set, hints that do nothing.
#include "runtime.h"

#include <algorithm>
#include <cstring>

using namespace hipport;

namespace {
// The dynamic LDS that a program asked for by hipFuncSetAttribute, by kernel.
std::map<const Kernel*, int>& asked() {
  static auto* all = new std::map<const Kernel*, int>;
  return *all;
}

// The LDS of a block that a kernel's own arrays leave.
int left_of(const Kernel& kernel) {
  const uint32_t most = device().lds_bytes;
  return static_cast<int>(most - std::min(kernel.entry().lds_static, most));
}
int dynamic_of(const Kernel& kernel) {
  const auto found = asked().find(&kernel);
  return found == asked().end() ? left_of(kernel) : found->second;
}
int threads_of(const Kernel& kernel) { return static_cast<int>(std::min(kernel.entry().max_block, device().threads_per_block)); }

// The kernel of a host function, or of a module's function, which this version of HIP takes here too.
const Kernel* named(const void* function) {
  const Kernel* kernel = kernel_of(function);
  return kernel ? kernel : module_kernel(function);
}
int binary_version() {
  int major = 0, minor = 0;
  (void)hipDeviceComputeCapability(&major, &minor, 0);
  return major * 10 + minor;
}
bool known(hipFuncCache_t config) {
  return config == hipFuncCachePreferNone || config == hipFuncCachePreferShared || config == hipFuncCachePreferL1 ||
         config == hipFuncCachePreferEqual;
}
bool known(hipSharedMemConfig config) {
  return config == hipSharedMemBankSizeDefault || config == hipSharedMemBankSizeFourByte || config == hipSharedMemBankSizeEightByte;
}
}  // namespace

extern "C" {
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Kernel* kernel = kernel_of(function);
  if (attributes == nullptr) return answer(hipErrorInvalidValue);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  std::memset(attributes, 0, sizeof *attributes);
  attributes->sharedSizeBytes = kernel->entry().lds_static;
  attributes->localSizeBytes = kernel->entry().scratch_per_lane;
  attributes->numRegs = static_cast<int>(kernel->entry().vgprs);
  attributes->maxThreadsPerBlock = threads_of(*kernel);
  attributes->maxDynamicSharedSizeBytes = dynamic_of(*kernel);
  attributes->binaryVersion = attributes->ptxVersion = binary_version();
  return hipSuccess;
}
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute which, hipFunction_t function) {
  if (value == nullptr || function == nullptr) return answer(hipErrorInvalidValue);
  const Kernel& kernel = *reinterpret_cast<const Kernel*>(function);
  switch (which) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = threads_of(kernel); break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(kernel.entry().lds_static); break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(kernel.entry().scratch_per_lane); break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS: *value = static_cast<int>(kernel.entry().vgprs); break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = left_of(kernel); break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION: *value = binary_version(); break;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = 0; break;
    default: return answer(hipErrorInvalidValue);
  }
  return hipSuccess;
}
// No opt-in lifts the LDS of a block: what is asked for must fit beside the kernel's own arrays.
hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute which, int value) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  if (function == nullptr) return answer(hipErrorInvalidDeviceFunction);
  if (which < 0 || which > hipFuncAttributeMax) return answer(hipErrorInvalidValue);
  const Kernel* kernel = named(function);
  if (kernel == nullptr) return answer(hipErrorInvalidDeviceFunction);
  if (which == hipFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > left_of(*kernel)) return answer(hipErrorInvalidValue);
    asked()[kernel] = value;
  }
  if (which == hipFuncAttributePreferredSharedMemoryCarveout && (value < -1 || value > 100)) return answer(hipErrorInvalidValue);
  return hipSuccess;
}

// Hints about the caches and the banks of CUDA's shared memory: AMD's runtime checks them, and does nothing.
hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t config) {
  if (function == nullptr) return answer(hipErrorInvalidDeviceFunction);
  return known(config) ? hipSuccess : answer(hipErrorInvalidValue);
}
hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig config) {
  if (function == nullptr) return answer(hipErrorInvalidDeviceFunction);
  return known(config) ? hipSuccess : answer(hipErrorInvalidValue);
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) { return known(config) ? hipSuccess : answer(hipErrorInvalidValue); }
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) { return known(config) ? hipSuccess : answer(hipErrorInvalidValue); }
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  if (config == nullptr) return answer(hipErrorInvalidValue);
  *config = hipFuncCachePreferNone;
  return hipSuccess;
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  if (config == nullptr) return answer(hipErrorInvalidValue);
  *config = hipSharedMemBankSizeFourByte;
  return hipSuccess;
}
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) { return hipDeviceGetSharedMemConfig(config); }

// AMD's runtime has these names, and supports none of them.
hipError_t hipCtxGetCacheConfig(hipFuncCache_t*) { return answer(hipErrorNotSupported); }
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return answer(known(config) ? hipErrorNotSupported : hipErrorInvalidValue); }
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig) { return answer(hipErrorNotSupported); }
hipError_t hipCtxSynchronize(void) { return answer(hipErrorNotSupported); }
hipError_t hipCtxGetFlags(unsigned*) { return answer(hipErrorNotSupported); }
hipError_t hipCtxGetApiVersion(hipCtx_t, unsigned*) { return answer(hipErrorNotSupported); }
}
