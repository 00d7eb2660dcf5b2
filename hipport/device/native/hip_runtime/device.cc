// One device: the chosen target, its properties, attributes and limits.
#include "runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <tuple>

namespace hipport {
namespace {
Device read_device() {
  const char* path = std::getenv("HIPPORT_DEVICE");
  std::ifstream file(path ? path : "");
  if (!file) stop(5, "HIPPORT_DEVICE names no device file: start the program by `hipport run --program`", "{\"event\": \"no_device\"}");
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t space = line.find(' ');
    if (space != std::string::npos) rows[line.substr(0, space)] = line.substr(space + 1);
  }
  const auto number = [&](const char* key) { return std::strtoull(rows[key].c_str(), nullptr, 10); };
  Device d;
  d.name = rows["name"];
  d.arch = rows["arch"];
  d.memory_bytes = number("memory_bytes");
  d.memory_limit = number("memory_limit");
  for (auto [key, field] : std::initializer_list<std::pair<const char*, uint32_t Device::*>>{
           {"wave_size", &Device::wave_size}, {"lds_bytes", &Device::lds_bytes}, {"lds_granule", &Device::lds_granule},
           {"threads_per_block", &Device::threads_per_block}, {"threads_per_cu", &Device::threads_per_cu},
           {"waves_per_simd", &Device::waves_per_simd}, {"simds_per_cu", &Device::simds_per_cu},
           {"vgprs_per_simd_lane", &Device::vgprs_per_simd_lane}, {"vgpr_granule", &Device::vgpr_granule},
           {"compute_units", &Device::compute_units}, {"clock_khz", &Device::clock_khz}, {"l2_bytes", &Device::l2_bytes},
           {"blocks_per_cu", &Device::blocks_per_cu}, {"clock_counter_khz", &Device::clock_counter_khz}, {"threads", &Device::threads},
           {"lds_banks", &Device::lds_banks}})
    d.*field = static_cast<uint32_t>(number(key));
  d.instruction_budget = number("instruction_budget");
  d.poison = number("poison") != 0;
  if (!rows["order"].empty()) d.order = rows["order"];
  return d;
}

// gfx942 -> {9, 4}: the pair that HIP reports as the compute capability.
std::pair<int, int> capability(const std::string& arch) {
  const std::string digits = arch.substr(3);
  const size_t major = digits.size() > 3 ? 2 : 1;
  return {std::atoi(digits.substr(0, major).c_str()), std::atoi(digits.substr(major, 1).c_str())};
}

// The grid limits of AMD's runtime: 2^31-1 blocks in x, 65536 in y and z.
constexpr int kGrid[3] = {2147483647, 65536, 65536};

void fill(hipDeviceProp_t* p) {
  const Device& d = device();
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "%s", d.name.c_str());
  std::snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", d.arch.c_str());
  std::tie(p->major, p->minor) = capability(d.arch);
  p->totalGlobalMem = d.memory_limit;
  p->totalConstMem = 2147483647;
  p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin = p->maxSharedMemoryPerMultiProcessor = d.lds_bytes;
  p->regsPerBlock = p->regsPerMultiprocessor = static_cast<int>(d.vgprs_per_simd_lane * d.wave_size * d.simds_per_cu);
  p->warpSize = static_cast<int>(d.wave_size);
  p->maxThreadsPerBlock = static_cast<int>(d.threads_per_block);
  p->maxThreadsPerMultiProcessor = static_cast<int>(d.threads_per_cu);
  p->maxBlocksPerMultiProcessor = static_cast<int>(d.threads_per_cu / std::max(1u, d.threads_per_block));
  for (int i = 0; i < 3; ++i) {
    p->maxThreadsDim[i] = static_cast<int>(d.threads_per_block);
    p->maxGridSize[i] = kGrid[i];
  }
  p->clockRate = static_cast<int>(d.clock_khz);
  p->clockInstructionRate = static_cast<int>(d.clock_counter_khz);
  p->multiProcessorCount = static_cast<int>(d.compute_units);
  p->l2CacheSize = static_cast<int>(d.l2_bytes);
  p->memPitch = 2147483647;
  p->textureAlignment = p->texturePitchAlignment = p->surfaceAlignment = 256;
  p->canMapHostMemory = p->concurrentKernels = p->managedMemory = p->concurrentManagedAccess = p->unifiedAddressing = 1;
  p->hostRegisterSupported = p->canUseHostPointerForRegisteredMem = p->directManagedMemAccessFromHost = 1;
  p->asyncEngineCount = p->cooperativeLaunch = 1;
  p->arch.hasGlobalInt32Atomics = p->arch.hasGlobalFloatAtomicExch = p->arch.hasSharedInt32Atomics = 1;
  p->arch.hasSharedFloatAtomicExch = p->arch.hasFloatAtomicAdd = p->arch.hasGlobalInt64Atomics = 1;
  p->arch.hasSharedInt64Atomics = p->arch.hasDoubles = p->arch.hasWarpVote = p->arch.hasWarpBallot = 1;
  p->arch.hasWarpShuffle = p->arch.hasThreadFenceSystem = p->arch.has3dGrid = 1;
}
}  // namespace

const Device& device() {
  static const Device* chosen = new Device(read_device());
  return *chosen;
}
}  // namespace hipport

using namespace hipport;

namespace {
hipError_t on_device(int ordinal) { return ordinal == 0 ? hipSuccess : answer(hipErrorInvalidDevice); }

bool attribute(const hipDeviceProp_t& p, hipDeviceAttribute_t which, int* value) {
  switch (which) {
    case hipDeviceAttributeWarpSize: *value = p.warpSize; return true;
    case hipDeviceAttributeMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; return true;
    case hipDeviceAttributeMaxThreadsDim:
    case hipDeviceAttributeMaxBlockDimX: *value = p.maxThreadsDim[0]; return true;
    case hipDeviceAttributeMaxBlockDimY: *value = p.maxThreadsDim[1]; return true;
    case hipDeviceAttributeMaxBlockDimZ: *value = p.maxThreadsDim[2]; return true;
    case hipDeviceAttributeMaxGridDimX: *value = p.maxGridSize[0]; return true;
    case hipDeviceAttributeMaxGridDimY: *value = p.maxGridSize[1]; return true;
    case hipDeviceAttributeMaxGridDimZ: *value = p.maxGridSize[2]; return true;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerBlockOptin:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
    case hipDeviceAttributeSharedMemPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerBlock); return true;
    case hipDeviceAttributeReservedSharedMemPerBlock: *value = 0; return true;
    case hipDeviceAttributeMaxRegistersPerBlock: *value = p.regsPerBlock; return true;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; return true;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; return true;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor: *value = p.maxBlocksPerMultiProcessor; return true;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount: *value = p.multiProcessorCount; return true;
    case hipDeviceAttributeClockRate: *value = p.clockRate; return true;
    case hipDeviceAttributeClockInstructionRate:
    case hipDeviceAttributeWallClockRate: *value = p.clockInstructionRate; return true;
    case hipDeviceAttributeComputeCapabilityMajor: *value = p.major; return true;
    case hipDeviceAttributeComputeCapabilityMinor: *value = p.minor; return true;
    case hipDeviceAttributeL2CacheSize: *value = p.l2CacheSize; return true;
    case hipDeviceAttributeTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); return true;
    case hipDeviceAttributeMaxPitch: *value = static_cast<int>(p.memPitch); return true;
    case hipDeviceAttributeTextureAlignment: *value = static_cast<int>(p.textureAlignment); return true;
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeHostRegisterSupported:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeAsyncEngineCount: *value = 1; return true;
    case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributeComputeMode:
    case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    case hipDeviceAttributeCooperativeMultiDeviceLaunch:
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributeIsMultiGpuBoard:
    case hipDeviceAttributePciBusId:
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributePciDomainId: *value = 0; return true;
    default: return false;
  }
}
}  // namespace

extern "C" {
hipError_t hipInit(unsigned) { return hipSuccess; }
hipError_t hipGetDeviceCount(int* count) {
  if (count == nullptr) return answer(hipErrorInvalidValue);
  *count = 1;
  return hipSuccess;
}
hipError_t hipSetDevice(int ordinal) { return on_device(ordinal); }
hipError_t hipGetDevice(int* ordinal) {
  if (ordinal == nullptr) return answer(hipErrorInvalidValue);
  *ordinal = 0;
  return hipSuccess;
}
hipError_t hipDeviceGet(hipDevice_t* handle, int ordinal) {
  if (handle) *handle = 0;
  return on_device(ordinal);
}
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int ordinal) {
  if (properties == nullptr) return answer(hipErrorInvalidValue);
  if (ordinal != 0) return answer(hipErrorInvalidDevice);
  fill(properties);
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int ordinal) {
  if (value == nullptr) return answer(hipErrorInvalidValue);
  if (ordinal != 0) return answer(hipErrorInvalidDevice);
  hipDeviceProp_t properties;
  fill(&properties);
  return attribute(properties, which, value) ? hipSuccess : answer(hipErrorInvalidValue);
}
hipError_t hipDeviceGetName(char* name, int length, hipDevice_t) {
  if (name == nullptr || length <= 0) return answer(hipErrorInvalidValue);
  std::snprintf(name, static_cast<size_t>(length), "%s", device().name.c_str());
  return hipSuccess;
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t) {
  if (bytes == nullptr) return answer(hipErrorInvalidValue);
  *bytes = device().memory_limit;
  return hipSuccess;
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t) {
  std::tie(*major, *minor) = capability(device().arch);
  return hipSuccess;
}
hipError_t hipDeviceReset(void) { return hipSuccess; }
hipError_t hipSetDeviceFlags(unsigned) { return hipSuccess; }
hipError_t hipGetDeviceFlags(unsigned* flags) {
  if (flags) *flags = 0;
  return hipSuccess;
}
hipError_t hipDriverGetVersion(int* version) {
  if (version) *version = HIP_VERSION;
  return hipSuccess;
}
hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }
hipError_t hipDeviceGetPCIBusId(char* text, int length, int ordinal) {
  if (text == nullptr || length < 13) return answer(hipErrorInvalidValue);
  std::snprintf(text, static_cast<size_t>(length), "0000:00:00.0");
  return on_device(ordinal);
}

// One device: it is nobody's peer.
hipError_t hipDeviceCanAccessPeer(int* can, int, int) {
  if (can) *can = 0;
  return hipSuccess;
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned) { return answer(hipErrorInvalidDevice); }
hipError_t hipDeviceDisablePeerAccess(int) { return answer(hipErrorPeerAccessNotEnabled); }

// Limits: the two heaps of device-side malloc and printf have no size of their own here.
hipError_t hipDeviceSetLimit(hipLimit_t, size_t) { return hipSuccess; }
hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  if (value == nullptr) return answer(hipErrorInvalidValue);
  switch (limit) {
    case hipLimitPrintfFifoSize: *value = 1u << 20; return hipSuccess;      // AMD's default
    case hipLimitMallocHeapSize: *value = 4u << 20; return hipSuccess;      // AMD's default
    case hipLimitStackSize: *value = 1024; return hipSuccess;               // AMD's default
    default: return answer(hipErrorUnsupportedLimit);
  }
}
hipError_t hipProfilerStart(void) { return hipSuccess; }
hipError_t hipProfilerStop(void) { return hipSuccess; }
}
