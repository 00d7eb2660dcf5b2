// The host side: memory, copies, streams, events, symbols, properties, launches. Work is done when a call returns.
#ifndef HIPPORT_WAVE_HOST_H
#define HIPPORT_WAVE_HOST_H

#include "device.h"
#ifdef HIPPORT_HIP
#include "hip_names.h"  // hipMalloc -> cudaMalloc, and so on
#endif

enum cudaError {
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21, cudaErrorMissingConfiguration = 52, cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101, cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701, cudaErrorPeerAccessAlreadyEnabled = 704, cudaErrorPeerAccessNotEnabled = 705, cudaErrorAssert = 710,
  cudaErrorLaunchFailure = 719, cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorNotSupported = 801, cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount, cudaLimitPersistingL2CacheSize };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX,
  cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock, cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize,
  cudaDevAttrMaxPitch, cudaDevAttrMaxRegistersPerBlock, cudaDevAttrClockRate, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrL2CacheSize, cudaDevAttrMaxThreadsPerMultiProcessor,
  cudaDevAttrUnifiedAddressing = 41, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrManagedMemory = 83, cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrMemoryPoolsSupported = 115
};
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaCpuDeviceId (-1)
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaOccupancyDefault 0

typedef struct hipport_stream_s *cudaStream_t;
typedef struct hipport_event_s *cudaEvent_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
struct cudaUUID_t { char bytes[16]; };
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled,
      pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
      maxThreadsPerMultiProcessor;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, pageableMemoryAccess, concurrentManagedAccess, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int maxBlocksPerMultiProcessor, persistingL2CacheMaxSize;
  char gcnArchName[256];
};
typedef cudaDeviceProp cudaDeviceProp_t;
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaPos { size_t x, y, z; };
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t = nullptr);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = nullptr);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}

namespace hipport_wave {
cudaError_t allocate(void **to, size_t bytes, int kind);  // 0 device, 1 managed, 2 host
cudaError_t copy_symbol(const void *symbol, size_t size, void *host, const void *from, size_t bytes, size_t offset);
cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, bool cooperative);
cudaError_t launched();
int resident_blocks(int threads, size_t shared);
template <class... A, size_t... I>
inline void call_kernel(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
  kernel(*(std::remove_reference_t<A> *)arguments[I]...);
}
template <class... A>
inline cudaError_t launch_typed(void (*kernel)(A...), dim3 grid, dim3 block, void **arguments, size_t shared, bool cooperative) {
  configure(grid, block, shared, nullptr, cooperative);
  call_kernel(kernel, arguments, std::index_sequence_for<A...>());
  return launched();
}
}  // namespace hipport_wave

template <class T> inline cudaError_t cudaMalloc(T **to, size_t bytes) { return ::hipport_wave::allocate((void **)to, bytes, 0); }
template <class T> inline cudaError_t cudaMallocAsync(T **to, size_t bytes, cudaStream_t) { return ::hipport_wave::allocate((void **)to, bytes, 0); }
template <class T> inline cudaError_t cudaMallocManaged(T **to, size_t bytes, unsigned = 1) { return ::hipport_wave::allocate((void **)to, bytes, 1); }
template <class T> inline cudaError_t cudaMallocHost(T **to, size_t bytes, unsigned = 0) { return ::hipport_wave::allocate((void **)to, bytes, 2); }
template <class T> inline cudaError_t cudaHostAlloc(T **to, size_t bytes, unsigned) { return ::hipport_wave::allocate((void **)to, bytes, 2); }
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **to, void *host, unsigned) { *to = (T *)host; return cudaSuccess; }
template <class T> inline cudaError_t cudaMallocPitch(T **to, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 255) / 256 * 256;
  return ::hipport_wave::allocate((void **)to, *pitch * height, 0);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr *to, cudaExtent e) {
  to->pitch = (e.width + 255) / 256 * 256, to->xsize = e.width, to->ysize = e.height;
  return ::hipport_wave::allocate(&to->ptr, to->pitch * e.height * e.depth, 0);
}
template <class T> inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return ::hipport_wave::copy_symbol(&symbol, sizeof symbol, nullptr, from, bytes, offset);
}
template <class T> inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind, cudaStream_t = nullptr) {
  return ::hipport_wave::copy_symbol(&symbol, sizeof symbol, nullptr, from, bytes, offset);
}
template <class T> inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return ::hipport_wave::copy_symbol(&symbol, sizeof symbol, to, nullptr, bytes, offset);
}
template <class T> inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind, cudaStream_t = nullptr) {
  return ::hipport_wave::copy_symbol(&symbol, sizeof symbol, to, nullptr, bytes, offset);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **to, const T &symbol) { *to = (void *)&symbol; return cudaSuccess; }
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *to, const T &symbol) { *to = sizeof symbol; return cudaSuccess; }

template <class... A> inline cudaError_t cudaLaunchKernel(void (*k)(A...), dim3 g, dim3 b, void **args, size_t shared = 0, cudaStream_t = nullptr) {
  return ::hipport_wave::launch_typed(k, g, b, args, shared, false);
}
template <class... A> inline cudaError_t cudaLaunchCooperativeKernel(void (*k)(A...), dim3 g, dim3 b, void **args, size_t shared = 0, cudaStream_t = nullptr) {
  return ::hipport_wave::launch_typed(k, g, b, args, shared, true);
}
inline cudaError_t cudaLaunchKernel(const void *k, dim3 g, dim3 b, void **args, size_t shared = 0, cudaStream_t = nullptr) {
  return ::hipport_wave::launch_by_address(k, g, b, args, shared, false);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void *k, dim3 g, dim3 b, void **args, size_t shared = 0, cudaStream_t = nullptr) {
  return ::hipport_wave::launch_by_address(k, g, b, args, shared, true);
}
template <class K> inline cudaError_t cudaFuncSetAttribute(K *, cudaFuncAttribute, int) { return cudaSuccess; }
template <class K> inline cudaError_t cudaFuncSetCacheConfig(K *, cudaFuncCache) { return cudaSuccess; }
template <class K> inline cudaError_t cudaFuncSetSharedMemConfig(K *, cudaSharedMemConfig) { return cudaSuccess; }
template <class K> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, K *) {
  *to = cudaFuncAttributes{};
  to->maxThreadsPerBlock = 1024, to->numRegs = 32, to->maxDynamicSharedSizeBytes = 49152;
  return cudaSuccess;
}
template <class K> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *to, K, int threads, size_t shared) {
  *to = ::hipport_wave::resident_blocks(threads, shared);
  return cudaSuccess;
}
template <class K> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *to, K, int threads, size_t shared, unsigned) {
  *to = ::hipport_wave::resident_blocks(threads, shared);
  return cudaSuccess;
}
template <class K> inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, K, size_t = 0, int limit = 0) {
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  *grid = p.multiProcessorCount * 2;
  return cudaSuccess;
}
#ifdef __cplusplus
inline const char *cudaGetErrorText(cudaError_t e) { return cudaGetErrorString(e); }
#endif

#ifdef HIPPORT_HIP
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  (::hipport_wave::configure_launch(grid, block, shared, stream), kernel(__VA_ARGS__))
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_SYMBOL(x) x
#define hipHostMallocDefault 0
#define hipHostMallocPortable 1
#define hipHostMallocMapped 2
#define hipHostMallocNonCoherent 0
template <class T> inline cudaError_t hipHostMalloc(T **to, size_t bytes, unsigned = 0) { return ::hipport_wave::allocate((void **)to, bytes, 2); }
inline cudaError_t hipHostFree(void *p) { return cudaFreeHost(p); }
#endif

#endif
