// Copies and fills: done when the call returns, and checked against the block that they begin in.
#include "runtime.h"

#include <cstring>

using namespace hipport;

namespace {
using Guard = std::lock_guard<std::recursive_mutex>;

hipError_t copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return hipSuccess;
  if (to == nullptr || from == nullptr) return answer(hipErrorInvalidValue);
  const Guard held(lock());
  if (!memory().fits(to, bytes) || !memory().fits(from, bytes)) return answer(hipErrorInvalidValue);
  std::memmove(to, from, bytes);
  copied(to, from, bytes);
  return hipSuccess;
}

hipError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height) {
  if (width == 0 || height == 0) return hipSuccess;
  if (width > to_pitch || width > from_pitch) return answer(hipErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    const hipError_t error = copy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

template <class Value>
hipError_t fill(void* to, Value value, size_t count) {
  if (count == 0) return hipSuccess;
  const Guard held(lock());
  if (to == nullptr || memory().find(to) == nullptr || !memory().fits(to, count * sizeof(Value))) return answer(hipErrorInvalidValue);
  if (sizeof(Value) == 1) {
    std::memset(to, static_cast<int>(value), count);
  } else {
    for (size_t i = 0; i < count; ++i) std::memcpy(static_cast<char*>(to) + i * sizeof(Value), &value, sizeof(Value));
  }
  written(to, count * sizeof(Value));
  return hipSuccess;
}

hipError_t fill_rows(void* to, size_t pitch, int value, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row) {
    const hipError_t error = fill(static_cast<char*>(to) + row * pitch, static_cast<unsigned char>(value), width);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

hipError_t copy_box(const hipMemcpy3DParms* p) {
  if (p == nullptr) return answer(hipErrorInvalidValue);
  if (p->srcArray != nullptr || p->dstArray != nullptr) not_provided("hipMemcpy3D with a hipArray");
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const size_t from = (p->srcPos.z + z) * p->srcPtr.pitch * p->srcPtr.ysize + p->srcPos.y * p->srcPtr.pitch + p->srcPos.x;
    const size_t to = (p->dstPos.z + z) * p->dstPtr.pitch * p->dstPtr.ysize + p->dstPos.y * p->dstPtr.pitch + p->dstPos.x;
    const hipError_t error = copy_rows(static_cast<char*>(p->dstPtr.ptr) + to, p->dstPtr.pitch,
                                       static_cast<char*>(p->srcPtr.ptr) + from, p->srcPtr.pitch, p->extent.width, p->extent.height);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

hipError_t copy_param2d(const hip_Memcpy2D* p) {
  if (p == nullptr) return answer(hipErrorInvalidValue);
  if (p->srcMemoryType == hipMemoryTypeArray || p->dstMemoryType == hipMemoryTypeArray) not_provided("hipMemcpyParam2D with a hipArray");
  const bool from_host = p->srcMemoryType == hipMemoryTypeHost, to_host = p->dstMemoryType == hipMemoryTypeHost;
  const char* from = static_cast<const char*>(from_host ? p->srcHost : p->srcDevice) + p->srcY * p->srcPitch + p->srcXInBytes;
  char* to = static_cast<char*>(to_host ? p->dstHost : p->dstDevice) + p->dstY * p->dstPitch + p->dstXInBytes;
  return copy_rows(to, p->dstPitch, from, p->srcPitch, p->WidthInBytes, p->Height);
}

hipError_t copy_symbol(const void* variable, const void* from, void* to, size_t bytes, size_t offset) {
  const Guard held(lock());
  void* address = nullptr;
  size_t size = 0;
  if (!symbol(variable, &address, &size)) return answer(hipErrorInvalidSymbol);
  if (offset > size || bytes > size - offset) return answer(hipErrorInvalidValue);
  char* place = static_cast<char*>(address) + offset;
  return from != nullptr ? copy(place, from, bytes) : copy(to, place, bytes);
}
}  // namespace

extern "C" {
hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind) { return copy(to, from, bytes); }
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void* from, size_t bytes) { return copy(to, from, bytes); }
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) { return copy(to, from, bytes); }
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) { return copy(to, from, bytes); }
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void* from, size_t bytes, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpyPeer(void* to, int, const void* from, int, size_t bytes) { return copy(to, from, bytes); }
hipError_t hipMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, hipStream_t) { return copy(to, from, bytes); }
hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, hipMemcpyKind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height);
}
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, hipMemcpyKind, hipStream_t) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height);
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* p) { return copy_param2d(p); }
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* p, hipStream_t) { return copy_param2d(p); }
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) { return copy_box(p); }
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t) { return copy_box(p); }

hipError_t hipMemcpyToSymbol(const void* variable, const void* from, size_t bytes, size_t offset, hipMemcpyKind) {
  return from ? copy_symbol(variable, from, nullptr, bytes, offset) : answer(hipErrorInvalidValue);
}
hipError_t hipMemcpyToSymbolAsync(const void* variable, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind, hipStream_t) {
  return hipMemcpyToSymbol(variable, from, bytes, offset, kind);
}
hipError_t hipMemcpyFromSymbol(void* to, const void* variable, size_t bytes, size_t offset, hipMemcpyKind) {
  return to ? copy_symbol(variable, nullptr, to, bytes, offset) : answer(hipErrorInvalidValue);
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* variable, size_t bytes, size_t offset, hipMemcpyKind kind, hipStream_t) {
  return hipMemcpyFromSymbol(to, variable, bytes, offset, kind);
}
hipError_t hipGetSymbolAddress(void** address, const void* variable) {
  const Guard held(lock());
  size_t bytes = 0;
  return address && symbol(variable, address, &bytes) ? hipSuccess : answer(hipErrorInvalidSymbol);
}
hipError_t hipGetSymbolSize(size_t* bytes, const void* variable) {
  const Guard held(lock());
  void* address = nullptr;
  return bytes && symbol(variable, &address, bytes) ? hipSuccess : answer(hipErrorInvalidSymbol);
}

hipError_t hipMemset(void* to, int value, size_t bytes) { return fill(to, static_cast<unsigned char>(value), bytes); }
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t) { return hipMemset(to, value, bytes); }
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) { return fill(to, value, count); }
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t) { return fill(to, value, count); }
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) { return fill(to, value, count); }
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t) { return fill(to, value, count); }
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) { return fill(to, value, count); }
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t) { return fill(to, value, count); }
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) { return fill_rows(to, pitch, value, width, height); }
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t) {
  return fill_rows(to, pitch, value, width, height);
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    const hipError_t error = fill_rows(static_cast<char*>(to.ptr) + z * to.pitch * to.ysize, to.pitch, value, extent.width, extent.height);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t) { return hipMemset3D(to, value, extent); }
}
