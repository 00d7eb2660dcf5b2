// What PyTorch's CUDA build gives to an extension's host code, for a build whose tensors lie in the CPU's memory:
// streams, guards, checks, device numbers and the caching allocator. Every header of c10/cuda, ATen/cuda, c10/hip and
// ATen/hip that has one of these names is forwarded here. Streams are in order and every call is done when it returns,
// so a stream is the null stream and a guard has nothing to do but to remember.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>

#include <optional>
#include <tuple>
#include <utility>

#if defined(USE_ROCM)
#include <hip/hip_runtime_api.h>
#define HIPPORT_GPU(name) hip##name
#else
#include <cuda_runtime_api.h>
#define HIPPORT_GPU(name) cuda##name
#endif

namespace c10 {
namespace cuda {

using Error = HIPPORT_GPU(Error_t);
#if defined(USE_ROCM)
using DeviceProperties = hipDeviceProp_t;
#else
using DeviceProperties = cudaDeviceProp;
#endif
using RawStream = HIPPORT_GPU(Stream_t);

inline void check(Error error, const char* what, const char* file, int line) {
  if (error == HIPPORT_GPU(Success)) return;
  (void)HIPPORT_GPU(GetLastError)();
  TORCH_CHECK(false, "CUDA error: ", HIPPORT_GPU(GetErrorString)(error), " (", what, " at ", file, ":", line, ")");
}

// Devices: there is one.
inline DeviceIndex device_count() noexcept { return 1; }
inline DeviceIndex device_count_ensure_non_zero() { return 1; }
inline DeviceIndex current_device() { return 0; }
inline void set_device(DeviceIndex index, bool = false) { TORCH_CHECK(index <= 0, "CUDA error: invalid device ordinal ", static_cast<int>(index)); }
inline void device_synchronize() { check(HIPPORT_GPU(DeviceSynchronize)(), "device_synchronize", __FILE__, __LINE__); }
inline Error GetDeviceCount(int* count) {
  *count = 1;
  return HIPPORT_GPU(Success);
}
inline Error GetDevice(DeviceIndex* index) {
  *index = 0;
  return HIPPORT_GPU(Success);
}
inline Error SetDevice(DeviceIndex index, bool = false) { return HIPPORT_GPU(SetDevice)(index < 0 ? 0 : index); }
inline Error MaybeSetDevice(DeviceIndex index) { return SetDevice(index); }
inline DeviceIndex ExchangeDevice(DeviceIndex) { return 0; }
inline DeviceIndex MaybeExchangeDevice(DeviceIndex) { return 0; }
inline void SetTargetDevice() {}
inline bool hasPrimaryContext(DeviceIndex) { return true; }
inline void warn_or_error_on_sync() {}

class CUDAStream {
 public:
  enum Unchecked { UNCHECKED };
  CUDAStream() : stream_(Stream(Stream::DEFAULT, Device(DeviceType::CPU))) {}
  explicit CUDAStream(Stream stream) : stream_(stream) {}
  explicit CUDAStream(Unchecked, Stream stream) : stream_(stream) {}
  bool operator==(const CUDAStream& other) const noexcept { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const noexcept { return stream_ != other.stream_; }
  operator RawStream() const { return stream(); }
  operator Stream() const { return stream_; }
  RawStream stream() const { return nullptr; }
  Stream unwrap() const { return stream_; }
  DeviceType device_type() const { return stream_.device_type(); }
  DeviceIndex device_index() const { return 0; }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }
  bool query() const { return true; }
  void synchronize() const { check(HIPPORT_GPU(StreamSynchronize)(nullptr), "synchronize", __FILE__, __LINE__); }
  int priority() const { return 0; }
  bool is_capturing() const { return false; }
  static std::tuple<int, int> priority_range() { return {0, -1}; }

 private:
  Stream stream_;
};

inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getStreamFromPool(int, DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getStreamFromExternal(RawStream, DeviceIndex) { return CUDAStream(); }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline void setCurrentCUDAStream(CUDAStream) {}

class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex index) { set_index(index); }
  explicit CUDAGuard(Device device) { set_device(device); }
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  void set_device(Device device) { current_ = device; }
  void reset_device(Device device) { current_ = device; }
  void set_index(DeviceIndex index) { c10::cuda::set_device(index); }
  Device original_device() const { return Device(DeviceType::CPU); }
  Device current_device() const { return current_; }

 private:
  Device current_ = Device(DeviceType::CPU);
};

class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) : current_(device) {}
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> index) {
    if (index) set_index(*index);
  }
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard& operator=(const OptionalCUDAGuard&) = delete;
  void set_device(Device device) { current_ = device; }
  void reset_device(Device device) { current_ = device; }
  void set_index(DeviceIndex index) {
    c10::cuda::set_device(index);
    current_ = Device(DeviceType::CPU);
  }
  std::optional<Device> original_device() const { return current_ ? std::optional<Device>(Device(DeviceType::CPU)) : std::nullopt; }
  std::optional<Device> current_device() const { return current_; }
  void reset() { current_.reset(); }

 private:
  std::optional<Device> current_;
};

class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(Stream) {}
  explicit CUDAStreamGuard(CUDAStream) {}
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  void reset_stream(Stream) {}
  CUDAStream original_stream() const { return CUDAStream(); }
  CUDAStream current_stream() const { return CUDAStream(); }
  Device original_device() const { return Device(DeviceType::CPU); }
  Device current_device() const { return Device(DeviceType::CPU); }
};

class OptionalCUDAStreamGuard {
 public:
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(Stream) {}
  explicit OptionalCUDAStreamGuard(std::optional<Stream>) {}
  void reset_stream(Stream) {}
  void reset() {}
};

class CUDAMultiStreamGuard {
 public:
  template <class Streams>
  explicit CUDAMultiStreamGuard(const Streams&) {}
};

// Memory: the CPU's allocator, which makes every block known to the device.
namespace CUDACachingAllocator {
inline Allocator* get() { return c10::GetCPUAllocator(); }
inline void* raw_alloc(size_t bytes) { return get()->raw_allocate(bytes); }
inline void* raw_alloc_with_stream(size_t bytes, RawStream) { return raw_alloc(bytes); }
inline void raw_delete(void* pointer) { get()->raw_deallocate(pointer); }
inline void emptyCache() {}
inline void recordStream(const DataPtr&, CUDAStream) {}
}  // namespace CUDACachingAllocator

}  // namespace cuda

// The names of a HIP build of an older PyTorch.
namespace hip {
using namespace c10::cuda;
using HIPStream = c10::cuda::CUDAStream;
using HIPGuard = c10::cuda::CUDAGuard;
using OptionalHIPGuard = c10::cuda::OptionalCUDAGuard;
using HIPStreamGuard = c10::cuda::CUDAStreamGuard;
using OptionalHIPStreamGuard = c10::cuda::OptionalCUDAStreamGuard;
using HIPMultiStreamGuard = c10::cuda::CUDAMultiStreamGuard;
using HIPStreamMasqueradingAsCUDA = HIPStream;
using HIPGuardMasqueradingAsCUDA = HIPGuard;
using OptionalHIPGuardMasqueradingAsCUDA = OptionalHIPGuard;
using HIPStreamGuardMasqueradingAsCUDA = HIPStreamGuard;
using OptionalHIPStreamGuardMasqueradingAsCUDA = OptionalHIPStreamGuard;
using HIPMultiStreamGuardMasqueradingAsCUDA = HIPMultiStreamGuard;
inline HIPStream getCurrentHIPStream(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getDefaultHIPStream(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getCurrentHIPStreamMasqueradingAsCUDA(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getDefaultHIPStreamMasqueradingAsCUDA(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getStreamFromPoolMasqueradingAsCUDA(bool = false, DeviceIndex = -1) { return HIPStream(); }
inline void setCurrentHIPStream(HIPStream) {}
inline void setCurrentHIPStreamMasqueradingAsCUDA(HIPStream) {}
namespace HIPCachingAllocator = c10::cuda::CUDACachingAllocator;
namespace HIPCachingAllocatorMasqueradingAsCUDA = c10::cuda::CUDACachingAllocator;
}  // namespace hip
}  // namespace c10

namespace at {
namespace cuda {
using namespace c10::cuda;
inline int getNumGPUs() { return 1; }
inline bool is_available() { return true; }
inline DeviceProperties* getDeviceProperties(c10::DeviceIndex = 0) {
  static DeviceProperties* const known = [] {
    auto* made = new DeviceProperties;
    c10::cuda::check(HIPPORT_GPU(GetDeviceProperties)(made, 0), "getDeviceProperties", __FILE__, __LINE__);
    return made;
  }();
  return known;
}
inline DeviceProperties* getCurrentDeviceProperties() { return getDeviceProperties(); }
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }
inline bool canDeviceAccessPeer(c10::DeviceIndex, c10::DeviceIndex) { return false; }
inline c10::Allocator* getCUDADeviceAllocator() { return c10::GetCPUAllocator(); }
inline void set_device(c10::DeviceIndex index) { c10::cuda::set_device(index); }

// Events of the null stream; a move-only handle as PyTorch's is.
class CUDAEvent {
 public:
  CUDAEvent() = default;
  explicit CUDAEvent(unsigned flags) : flags_(flags) {}
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;
  CUDAEvent(CUDAEvent&& other) noexcept { std::swap(event_, other.event_); }
  CUDAEvent& operator=(CUDAEvent&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~CUDAEvent() {
    if (event_) (void)HIPPORT_GPU(EventDestroy)(event_);
  }
  operator HIPPORT_GPU(Event_t)() const { return event_; }
  HIPPORT_GPU(Event_t) event() const { return event_; }
  bool isCreated() const { return event_ != nullptr; }
  bool query() const { return true; }
  void record() { record(CUDAStream()); }
  void recordOnce(const CUDAStream& stream) {
    if (!event_) record(stream);
  }
  void record(const CUDAStream&) {
    if (!event_) c10::cuda::check(HIPPORT_GPU(EventCreateWithFlags)(&event_, flags_), "CUDAEvent", __FILE__, __LINE__);
    c10::cuda::check(HIPPORT_GPU(EventRecord)(event_, nullptr), "record", __FILE__, __LINE__);
  }
  void block(const CUDAStream&) {}
  void synchronize() const {}
  float elapsed_time(const CUDAEvent& later) const {
    float milliseconds = 0;
    c10::cuda::check(HIPPORT_GPU(EventElapsedTime)(&milliseconds, event_, later.event_), "elapsed_time", __FILE__, __LINE__);
    return milliseconds;
  }

 private:
  unsigned flags_ = 0;
  HIPPORT_GPU(Event_t) event_ = nullptr;
};
}  // namespace cuda
namespace hip {
using namespace at::cuda;
using namespace c10::hip;
using HIPEvent = at::cuda::CUDAEvent;
}  // namespace hip
}  // namespace at

namespace torch {
namespace cuda {
inline size_t device_count() { return 1; }
inline bool is_available() { return true; }
inline void synchronize(int64_t = -1) { c10::cuda::device_synchronize(); }
}  // namespace cuda
}  // namespace torch

#define C10_CUDA_CHECK(expression) ::c10::cuda::check((expression), #expression, __FILE__, __LINE__)
#define C10_CUDA_CHECK_WARN(expression) C10_CUDA_CHECK(expression)
#define C10_CUDA_ERROR_HANDLED(expression) (expression)
#define C10_CUDA_IGNORE_ERROR(expression) ((void)(expression))
#define C10_CUDA_CLEAR_ERROR() ((void)HIPPORT_GPU(GetLastError)())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(HIPPORT_GPU(GetLastError)())
#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
#define C10_HIP_CHECK(expression) C10_CUDA_CHECK(expression)
#define C10_HIP_CHECK_WARN(expression) C10_CUDA_CHECK(expression)
#define C10_HIP_ERROR_HANDLED(expression) (expression)
#define C10_HIP_IGNORE_ERROR(expression) ((void)(expression))
#define C10_HIP_CLEAR_ERROR() C10_CUDA_CLEAR_ERROR()
#define C10_HIP_KERNEL_LAUNCH_CHECK() C10_CUDA_KERNEL_LAUNCH_CHECK()
#define AT_HIP_CHECK(expression) C10_CUDA_CHECK(expression)
