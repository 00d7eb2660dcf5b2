// The host functions: memory, copies, events. Streams are in order and never busy.
#include "access.h"
#include "host_state.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace hipport_wave {

static std::map<std::string, std::string> &device_rows() {
  static std::map<std::string, std::string> rows = [] {
    std::map<std::string, std::string> found;
    const char *path = getenv("HIPPORT_DEVICE");
    std::ifstream file(path ? path : "");
    for (std::string line; std::getline(file, line);)
      if (const size_t space = line.find(' '); space != std::string::npos) found[line.substr(0, space)] = line.substr(space + 1);
    return found;
  }();
  return rows;
}

size_t device_number(const char *key, size_t otherwise) {
  auto found = device_rows().find(key);
  return found == device_rows().end() ? otherwise : strtoull(found->second.c_str(), nullptr, 10);
}
std::string device_text(const char *key) { return device_rows()[key]; }

static cudaError_t last = cudaSuccess;
cudaError_t answer(cudaError_t e) {
  if (e != cudaSuccess) last = e;
  return e;
}

static size_t in_use, allocated;
constexpr size_t APART = 4096;  // bytes between allocations

cudaError_t allocate(void **to, size_t bytes, int kind) {
  if (to == nullptr) return answer(cudaErrorInvalidValue);
  *to = nullptr;
  if (bytes == 0) return cudaSuccess;
  const size_t limit = device_number("memory_limit", (size_t)6 << 30);
  if (bytes > limit || in_use + bytes > limit) return answer(cudaErrorMemoryAllocation);
  char *raw = (char *)aligned_alloc(256, (bytes + 2 * APART + 255) / 256 * 256);
  if (raw == nullptr) return answer(cudaErrorMemoryAllocation);
  static const char *names[] = {"cudaMalloc", "cudaMallocManaged", "host memory"};
  Memory m{};
  m.base = (uintptr_t)raw + APART;
  m.size = bytes;
  m.name = std::string(names[kind]) + " #" + std::to_string(++allocated);
  m.writable = true;
  m.host = kind != 0;
  m.cells = cells_for(bytes);
  if (kind == 0 && bytes <= (256u << 20)) m.undefined = (uint8_t *)malloc(bytes);
  if (m.undefined) {
    memset(m.undefined, 1, bytes);
    spoil((void *)m.base, bytes);
  }
  memories.insert(std::upper_bound(memories.begin(), memories.end(), m.base, [](uintptr_t a, const Memory &b) { return a < b.base; }), m);
  in_use += bytes;
  *to = (void *)m.base;
  return cudaSuccess;
}

Memory *block_at(const void *at) {
  for (auto &m : memories)
    if ((uintptr_t)at - m.base < m.size) return &m;
  return nullptr;
}

static cudaError_t release(void *at) {
  if (at == nullptr) return cudaSuccess;
  for (size_t i = 0; i < memories.size(); i++) {
    Memory &m = memories[i];
    if (m.base != (uintptr_t)at) continue;
    drop_cells(m.cells, m.size);
    free(m.undefined);
    in_use -= m.size;
    memories.erase(memories.begin() + i);
    free((char *)at - APART);
    return cudaSuccess;
  }
  return answer(cudaErrorInvalidValue);
}

// Whether `bytes` from `at` on lie within one block, or in no block (host memory).
static bool fits(const void *at, size_t bytes) {
  const Memory *m = block_at(at);
  return m == nullptr || (uintptr_t)at + bytes <= m->base + m->size;
}

void note_copy(void *to, const void *from, size_t bytes) {
  Memory *t = block_at(to);
  if (t == nullptr || t->undefined == nullptr) return;
  const Memory *f = from ? block_at(from) : nullptr;
  uint8_t *shadow = t->undefined + ((uintptr_t)to - t->base);
  if (f && f->undefined) memmove(shadow, f->undefined + ((uintptr_t)from - f->base), bytes);
  else memset(shadow, 0, bytes);
}

void host_wrote(const void *from, size_t bytes) { note_copy(const_cast<void *>(from), nullptr, bytes); }

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr || kind > cudaMemcpyDefault || !fits(to, bytes) || !fits(from, bytes))
    return answer(cudaErrorInvalidValue);
  memmove(to, from, bytes);
  note_copy(to, from, bytes);
  return cudaSuccess;
}

static cudaError_t fill(void *to, int value, size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || !fits(to, bytes)) return answer(cudaErrorInvalidValue);
  memset(to, value, bytes);
  note_copy(to, nullptr, bytes);
  return cudaSuccess;
}

cudaError_t copy_symbol(const void *symbol, size_t size, void *host, const void *from, size_t bytes, size_t offset) {
  if (offset + bytes > size) return answer(cudaErrorInvalidValue);
  char *place = (char *)symbol + offset;
  if (host) memmove(host, place, bytes), note_copy(host, nullptr, bytes);
  else memmove(place, from, bytes);
  return cudaSuccess;
}

int resident_blocks(int threads, size_t shared) {
  const size_t by_threads = device_number("threads_per_cu", 2048) / std::max(threads, 1);
  const size_t lds = device_number("lds_bytes", 227 << 10);
  return (int)std::min<size_t>(std::min<size_t>(by_threads, shared ? lds / shared : 32), 32);
}

}  // namespace hipport_wave

using namespace hipport_wave;

extern "C" {
cudaError_t cudaGetLastError() {
  const cudaError_t e = last;
  last = cudaSuccess;
  return e;
}
cudaError_t cudaPeekAtLastError() { return last; }
cudaError_t cudaFree(void *p) { return release(p); }
cudaError_t cudaFreeHost(void *p) { return release(p); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return release(p); }
cudaError_t cudaHostRegister(void *p, size_t n, unsigned) {
  Memory m{};
  m.base = (uintptr_t)p, m.size = n, m.name = "registered host memory", m.writable = m.host = true, m.cells = cells_for(n);
  memories.insert(std::upper_bound(memories.begin(), memories.end(), m.base, [](uintptr_t a, const Memory &b) { return a < b.base; }), m);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *p) {
  for (size_t i = 0; i < memories.size(); i++)
    if (memories[i].base == (uintptr_t)p) {
      drop_cells(memories[i].cells, memories[i].size);
      memories.erase(memories.begin() + i);
      return cudaSuccess;
    }
  return answer(cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind) { return copy(to, from, n, kind); }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t) { return copy(to, from, n, kind); }
cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t n) { return copy(to, from, n, cudaMemcpyDefault); }
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t) { return copy(to, from, n, cudaMemcpyDefault); }
cudaError_t cudaMemcpy2D(void *to, size_t tp, const void *from, size_t fp, size_t width, size_t height, cudaMemcpyKind kind) {
  if (width > tp || width > fp) return answer(cudaErrorInvalidPitchValue);
  for (size_t y = 0; y < height; y++)
    if (const cudaError_t e = copy((char *)to + y * tp, (const char *)from + y * fp, width, kind)) return e;
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, tp, from, fp, w, h, kind);
}
cudaError_t cudaMemset(void *p, int v, size_t n) { return fill(p, v, n); }
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t) { return fill(p, v, n); }
cudaError_t cudaMemset2D(void *p, size_t pitch, int v, size_t width, size_t height) {
  for (size_t y = 0; y < height; y++)
    if (const cudaError_t e = fill((char *)p + y * pitch, v, width)) return e;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  *total = device_number("memory_bytes", (size_t)141 << 30);
  const size_t limit = device_number("memory_limit", (size_t)6 << 30);
  *free_bytes = limit - std::min(in_use, limit);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *to, const void *p) {
  const Memory *m = block_at(p);
  *to = {};
  to->type = !m ? cudaMemoryTypeUnregistered : !m->host ? cudaMemoryTypeDevice : m->name[0] == 'c' ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
  to->devicePointer = to->hostPointer = (void *)p;
  return cudaSuccess;
}
}
