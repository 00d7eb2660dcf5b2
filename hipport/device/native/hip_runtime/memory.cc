// Device memory: host memory with a gap after each block, so that a kernel's access past its end is seen.
#include "runtime.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

namespace hipport {
namespace {
constexpr size_t kAlign = 256;        // hipMalloc's own alignment
constexpr size_t kGap = 4096;         // no block begins within this distance of another's end
constexpr size_t kPage = 4096;

// Blocks above this size are not tracked for reads of memory that was never written: the shadow is as large as the block.
constexpr size_t kTracked = size_t{1} << 28;

void* reserve(size_t bytes) {
  void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return begin == MAP_FAILED ? nullptr : begin;
}

size_t rounded(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }
}  // namespace

std::recursive_mutex& lock() {
  static auto* mutex = new std::recursive_mutex;  // never destroyed: programs free memory in static destructors
  return *mutex;
}

Memory& memory() {
  static auto* all = new Memory;
  return *all;
}

void* Memory::allocate(size_t bytes, Kind kind, unsigned flags) {
  static const char* const kNames[] = {"hipMalloc", "hipMallocManaged", "hipHostMalloc"};
  if (used_ + bytes > device().memory_limit) return nullptr;
  const size_t mapped = rounded(rounded(bytes, kAlign) + kGap, kPage);
  void* begin = reserve(mapped);
  if (begin == nullptr) return nullptr;
  uint8_t* shadow = nullptr;
  if (device().poison && bytes <= kTracked && kind == Kind::device) shadow = static_cast<uint8_t*>(reserve(mapped));
  if (shadow != nullptr) std::memset(shadow, 1, bytes);
  const auto address = reinterpret_cast<uint64_t>(begin);
  const std::string name = std::string(kNames[static_cast<int>(kind)]) + " #" + std::to_string(++count_) + " of " + std::to_string(bytes) + " bytes";
  blocks_[address] = Block{address, address + bytes, kind, flags, begin, mapped, name, shadow, nullptr};
  used_ += bytes;
  ++generation_;
  return begin;
}

void Memory::adopt(void* begin, size_t bytes, Kind kind, const std::string& name, const void* module) {
  const auto address = reinterpret_cast<uint64_t>(begin);
  blocks_[address] = Block{address, address + bytes, kind, 0, nullptr, 0, name, nullptr, module};
  ++generation_;
}

bool Memory::release(const void* pointer) {
  const auto found = blocks_.find(reinterpret_cast<uint64_t>(pointer));
  if (found == blocks_.end()) return false;
  if (found->second.owner != nullptr) {
    munmap(found->second.owner, found->second.mapped);
    if (found->second.shadow != nullptr) munmap(found->second.shadow, found->second.mapped);
    used_ -= found->second.end - found->second.begin;
  }
  blocks_.erase(found);
  ++generation_;
  return true;
}

const Block* Memory::find(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = (--after)->second;
  return address < block.end || address == block.begin ? &block : nullptr;
}

bool Memory::fits(const void* pointer, size_t bytes) const {
  const Block* block = find(pointer);
  return block == nullptr || reinterpret_cast<uint64_t>(pointer) + bytes <= block->end;
}

void written(const void* pointer, size_t bytes) {
  const Block* block = memory().find(pointer);
  if (block == nullptr || block->shadow == nullptr) return;
  std::memset(block->shadow + (reinterpret_cast<uint64_t>(pointer) - block->begin), 0, bytes);
}

void copied(const void* to, const void* from, size_t bytes) {
  const Block* target = memory().find(to);
  const Block* source = memory().find(from);
  if (target == nullptr || target->shadow == nullptr) return;
  if (source == nullptr || source->shadow == nullptr) return written(to, bytes);
  std::memmove(target->shadow + (reinterpret_cast<uint64_t>(to) - target->begin),
               source->shadow + (reinterpret_cast<uint64_t>(from) - source->begin), bytes);
}
}  // namespace hipport

using namespace hipport;

namespace {
hipError_t allocate(void** pointer, size_t bytes, Kind kind, unsigned flags = 0) {
  if (pointer == nullptr) return answer(hipErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return hipSuccess;
  const std::lock_guard<std::recursive_mutex> held(lock());
  *pointer = memory().allocate(bytes, kind, flags);
  return *pointer ? hipSuccess : answer(hipErrorOutOfMemory);
}

hipError_t release(void* pointer) {
  if (pointer == nullptr) return hipSuccess;
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(pointer);
  if (block == nullptr || block->begin != reinterpret_cast<uint64_t>(pointer) || block->owner == nullptr)
    return answer(hipErrorInvalidValue);
  memory().release(pointer);
  return hipSuccess;
}

constexpr size_t kPitch = 256;  // rows of hipMallocPitch begin at multiples of this many bytes
}  // namespace

extern "C" {
hipError_t hipMalloc(void** pointer, size_t bytes) { return allocate(pointer, bytes, Kind::device); }
hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned flags) { return allocate(pointer, bytes, Kind::device, flags); }
hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t) { return allocate(pointer, bytes, Kind::device); }
hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags) { return allocate(pointer, bytes, Kind::managed, flags); }
hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned flags) { return allocate(pointer, bytes, Kind::host, flags); }
hipError_t hipHostAlloc(void** pointer, size_t bytes, unsigned flags) { return allocate(pointer, bytes, Kind::host, flags); }
hipError_t hipMallocHost(void** pointer, size_t bytes) { return allocate(pointer, bytes, Kind::host); }
hipError_t hipMemAllocHost(void** pointer, size_t bytes) { return allocate(pointer, bytes, Kind::host); }
hipError_t hipFree(void* pointer) { return release(pointer); }
hipError_t hipFreeAsync(void* pointer, hipStream_t) { return release(pointer); }
hipError_t hipFreeHost(void* pointer) { return release(pointer); }
hipError_t hipHostFree(void* pointer) { return release(pointer); }

hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return answer(hipErrorInvalidValue);
  *pitch = rounded(width, kPitch);
  return allocate(pointer, *pitch * height, Kind::device);
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned) {
  return hipMallocPitch(pointer, pitch, width, height);
}
hipError_t hipMalloc3D(hipPitchedPtr* pitched, hipExtent extent) {
  if (pitched == nullptr) return answer(hipErrorInvalidValue);
  pitched->pitch = rounded(extent.width, kPitch);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return allocate(&pitched->ptr, pitched->pitch * extent.height * extent.depth, Kind::device);
}

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr || bytes == 0) return answer(hipErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> held(lock());
  if (memory().find(pointer) != nullptr) return answer(hipErrorHostMemoryAlreadyRegistered);
  (void)flags;
  memory().adopt(pointer, bytes, Kind::registered, "memory given to hipHostRegister");
  return hipSuccess;
}
hipError_t hipHostUnregister(void* pointer) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(pointer);
  if (block == nullptr || block->kind != Kind::registered) return answer(hipErrorHostMemoryNotRegistered);
  memory().release(pointer);
  return hipSuccess;
}
hipError_t hipHostGetDevicePointer(void** on_device, void* on_host, unsigned) {
  if (on_device == nullptr) return answer(hipErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(on_host);
  if (block == nullptr) return answer(hipErrorInvalidValue);
  *on_device = on_host;
  return hipSuccess;
}
hipError_t hipHostGetFlags(unsigned* flags, void* pointer) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(pointer);
  if (flags == nullptr || block == nullptr || block->kind != Kind::host) return answer(hipErrorInvalidValue);
  *flags = block->flags;
  return hipSuccess;
}

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  if (free_bytes) *free_bytes = device().memory_limit - memory().used();
  if (total_bytes) *total_bytes = device().memory_limit;
  return hipSuccess;
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(pointer);
  if (block == nullptr) return answer(hipErrorNotFound);
  if (base) *base = reinterpret_cast<void*>(block->begin);
  if (bytes) *bytes = block->end - block->begin;
  return hipSuccess;
}
hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes) { return hipMemGetAddressRange(nullptr, bytes, pointer); }

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  if (attributes == nullptr || pointer == nullptr) return answer(hipErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> held(lock());
  const Block* block = memory().find(pointer);
  std::memset(attributes, 0, sizeof *attributes);
  attributes->type = hipMemoryTypeUnregistered;
  if (block == nullptr) return hipSuccess;
  const bool host = block->kind == Kind::host || block->kind == Kind::registered;
  attributes->type = block->kind == Kind::managed ? hipMemoryTypeManaged : host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  attributes->isManaged = block->kind == Kind::managed;
  attributes->devicePointer = const_cast<void*>(pointer);
  attributes->hostPointer = attributes->type == hipMemoryTypeDevice ? nullptr : const_cast<void*>(pointer);
  attributes->allocationFlags = block->flags;
  return hipSuccess;
}

// Hints about where pages should live: nothing moves here, so there is nothing to do.
hipError_t hipMemPrefetchAsync_v2(const void* pointer, size_t bytes, hipMemLocation, unsigned, hipStream_t) {
  return memory().fits(pointer, bytes) ? hipSuccess : answer(hipErrorInvalidValue);
}
hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int, hipStream_t) {
  return memory().fits(pointer, bytes) ? hipSuccess : answer(hipErrorInvalidValue);
}
hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise, int) {
  return memory().fits(pointer, bytes) ? hipSuccess : answer(hipErrorInvalidValue);
}
}
