// The device as a program asks for it; streams, events, names of errors.
#include "host_state.h"

#include <chrono>
#include <cstring>

using namespace hipport_wave;

struct hipport_stream_s {
  unsigned flags;
};
struct hipport_event_s {
  bool recorded;
  std::chrono::steady_clock::time_point when;
};

extern "C" {
#define ERROR_NAMES(X)                                                                                            \
  X(cudaSuccess, "no error") X(cudaErrorInvalidValue, "invalid argument") X(cudaErrorMemoryAllocation, "out of memory") \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument") X(cudaErrorInvalidDevice, "invalid device ordinal") \
  X(cudaErrorInvalidPitchValue, "invalid pitch argument") X(cudaErrorInvalidSymbol, "invalid device symbol")      \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle") X(cudaErrorNotReady, "device not ready")           \
  X(cudaErrorIllegalAddress, "an illegal memory access was encountered") X(cudaErrorAssert, "device-side assert triggered") \
  X(cudaErrorLaunchFailure, "unspecified launch failure") X(cudaErrorNotSupported, "operation not supported")     \
  X(cudaErrorInvalidDeviceFunction, "invalid device function") X(cudaErrorUnknown, "unknown error")
const char *cudaGetErrorString(cudaError_t e) {
#define ONE(name, text) if (e == name) return text;
  ERROR_NAMES(ONE)
#undef ONE
  return "unrecognized error code";
}
const char *cudaGetErrorName(cudaError_t e) {
#define ONE(name, text) if (e == name) return #name;
  ERROR_NAMES(ONE)
#undef ONE
  return "unrecognized error code";
}
cudaError_t cudaGetDeviceCount(int *n) {
  *n = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *d) {
  *d = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int d) { return d == 0 ? cudaSuccess : answer(cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int d) {
  if (d != 0) return answer(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  const std::string name = device_text("name");
  snprintf(p->name, sizeof p->name, "%s", name.empty() ? "hipport wave executor" : name.c_str());
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", device_text("arch").c_str());
  p->totalGlobalMem = device_number("memory_bytes", (size_t)141 << 30);
  p->sharedMemPerBlock = WAVE == 64 ? 65536 : 49152;
  p->sharedMemPerBlockOptin = device_number("lds_bytes", 232448);
  p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin + (WAVE == 64 ? 0 : 1024);
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = WAVE;
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = (int)device_number("clock_khz", 1980000);
  p->totalConstMem = 65536;
  p->major = 9;
  p->textureAlignment = 512, p->texturePitchAlignment = 32;
  p->multiProcessorCount = (int)device_number("compute_units", 132);
  p->concurrentKernels = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
  p->asyncEngineCount = 3, p->memoryClockRate = 3201000, p->memoryBusWidth = 6144;
  p->l2CacheSize = (int)device_number("l2_bytes", 60 << 20);
  p->maxThreadsPerMultiProcessor = (int)device_number("threads_per_cu", 2048);
  p->maxBlocksPerMultiProcessor = 32;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *to, cudaDeviceAttr which, int d) {
  cudaDeviceProp p;
  if (const cudaError_t e = cudaGetDeviceProperties(&p, d)) return e;
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *to = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *to = 64; break;
    case cudaDevAttrMaxGridDimX: *to = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *to = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *to = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *to = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *to = (int)p.sharedMemPerMultiprocessor; break;
    case cudaDevAttrTotalConstantMemory: *to = 65536; break;
    case cudaDevAttrWarpSize: *to = WAVE; break;
    case cudaDevAttrMaxPitch: *to = (int)p.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *to = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *to = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *to = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *to = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *to = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *to = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *to = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *to = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *to = p.minor; break;
    case cudaDevAttrMemoryPoolsSupported: *to = 0; break;
    default: *to = 1;
  }
  return cudaSuccess;
}
#define NOTHING(name, ...) cudaError_t name(__VA_ARGS__) { return cudaSuccess; }
NOTHING(cudaDeviceSynchronize)
NOTHING(cudaThreadSynchronize)
NOTHING(cudaDeviceReset)
NOTHING(cudaProfilerStart)
NOTHING(cudaProfilerStop)
NOTHING(cudaDeviceSetCacheConfig, cudaFuncCache)
NOTHING(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
NOTHING(cudaDeviceSetLimit, cudaLimit, size_t)
NOTHING(cudaSetDeviceFlags, unsigned)
NOTHING(cudaStreamSynchronize, cudaStream_t)
NOTHING(cudaStreamQuery, cudaStream_t)
NOTHING(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
NOTHING(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t)
NOTHING(cudaMemAdvise, const void *, size_t, cudaMemoryAdvise, int)
NOTHING(cudaEventQuery, cudaEvent_t)
NOTHING(cudaEventSynchronize, cudaEvent_t)
cudaError_t cudaDeviceGetLimit(size_t *to, cudaLimit which) {
  *to = which == cudaLimitMallocHeapSize ? 8 << 20 : which == cudaLimitPrintfFifoSize ? 1 << 20 : 1024;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *to, int, int) {
  *to = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return answer(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0, *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *v) {
  *v = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v) {
  *v = 13000;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *s) {
  *s = new hipport_stream_s{0};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned) { return cudaStreamCreate(s); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned, int) { return cudaStreamCreate(s); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  if ((uintptr_t)s > 4096) delete s;
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data, unsigned) {
  f(s, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t f, void *data) {
  f(data);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) {
  *e = new hipport_event_s{false, {}};
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) { return cudaEventCreate(e); }
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t) {
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  e->recorded = true;
  e->when = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) {
  if (!a || !b || !a->recorded || !b->recorded) return answer(cudaErrorInvalidResourceHandle);
  *ms = std::chrono::duration<float, std::milli>(b->when - a->when).count();
  return cudaSuccess;
}
}
