// C functions as a thread of a kernel sees them: checked, or noted as approximate.
#include "access.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <mutex>
#include <sys/mman.h>

using namespace hipport_wave;

enum Approximate {
#define HIPPORT_APPROXIMATE(id, text) APPROXIMATE_##id,
#include "approximate.inc"
#undef HIPPORT_APPROXIMATE
};

#define PC ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0))

extern "C" {
void *__tsan_memcpy(void *, const void *, size_t);
void *__tsan_memmove(void *, const void *, size_t);
void *__tsan_memset(void *, int, size_t);
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void __real_free(void *);
void __real_abort() __attribute__((noreturn));
void __real___assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

// the source's own calls: device.h gives the functions these names
void *hipport_wave_memcpy(void *to, const void *from, size_t n) { return __tsan_memcpy(to, from, n); }
void *hipport_wave_memmove(void *to, const void *from, size_t n) { return __tsan_memmove(to, from, n); }
void *hipport_wave_memset(void *to, int v, size_t n) { return __tsan_memset(to, v, n); }
void *__wrap_malloc(size_t n) { return on_device() ? device_allocate(n) : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t each) {
  if (!on_device()) return __real_calloc(n, each);
  void *got = device_allocate(n * each);
  if (got) memset(got, 0, n * each);
  return got;
}
void __wrap_free(void *at) { device_free(at); }
#define NEW(name, T)                            \
  void *__real_##name(T);                             \
  void *__wrap_##name(T n) { return on_device() ? device_allocate(n) : __real_##name(n); }
NEW(_Znwm, size_t)
NEW(_Znam, size_t)
#undef NEW
void __wrap__ZdlPv(void *at) { __wrap_free(at); }
void __wrap__ZdlPvm(void *at, size_t) { __wrap_free(at); }
void __wrap__ZdaPv(void *at) { __wrap_free(at); }
void __wrap__ZdaPvm(void *at, size_t) { __wrap_free(at); }
void __wrap_abort() {
  if (on_device()) stop_trap();
  __real_abort();
}
void __wrap___assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  if (on_device()) stop_assert(what, file, (int)line);
  __real___assert_fail(what, file, line, function);
}

#define ONE(name, T)          \
  T __real_##name(T);         \
  T __wrap_##name(T a) {      \
    used_approximate(APPROXIMATE_##name);     \
    return __real_##name(a);  \
  }
#define TWO(name, T)             \
  T __real_##name(T, T);         \
  T __wrap_##name(T a, T b) {    \
    used_approximate(APPROXIMATE_##name);        \
    return __real_##name(a, b);  \
  }
#define BOTH(name) ONE(name##f, float) ONE(name, double)
BOTH(exp) BOTH(exp2) BOTH(exp10) BOTH(expm1) BOTH(log) BOTH(log2) BOTH(log10) BOTH(log1p)
BOTH(sin) BOTH(cos) BOTH(tan) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(sinh) BOTH(cosh) BOTH(tanh)
BOTH(asinh) BOTH(acosh) BOTH(atanh) BOTH(erf) BOTH(erfc) BOTH(tgamma) BOTH(lgamma) BOTH(cbrt)
TWO(powf, float) TWO(pow, double) TWO(atan2f, float) TWO(atan2, double) TWO(hypotf, float) TWO(hypot, double)
void __real_sincosf(float, float *, float *);
void __real_sincos(double, double *, double *);
void __wrap_sincosf(float a, float *s, float *c) {
  used_approximate(APPROXIMATE_sincosf);
  __real_sincosf(a, s, c);
}
void __wrap_sincos(double a, double *s, double *c) {
  used_approximate(APPROXIMATE_sincos);
  __real_sincos(a, s, c);
}
}

namespace hipport_wave {

static std::mutex heap_lock;
static std::atomic<size_t> heap_blocks{0};

void *device_allocate(size_t n) {
  const Inside inside;
  std::lock_guard<std::mutex> hold(heap_lock);
  void *got = __real_malloc(n ? n : 1);
  if (!got) return nullptr;
  Memory m{(uintptr_t)got, n, "the kernel's own heap block", true, false, nullptr, nullptr, {}};
  memories.insert(std::upper_bound(memories.begin(), memories.end(), m.base, [](uintptr_t a, const Memory &b) { return a < b.base; }), m);
  heap_blocks++;
  return got;
}

void device_free(void *at) {
  if (at && heap_blocks && on_device()) {  // the runtime's own are not listed
    const Inside inside;
    std::lock_guard<std::mutex> hold(heap_lock);
    for (size_t i = 0; i < memories.size(); i++)
      if (memories[i].base == (uintptr_t)at) {
        memories.erase(memories.begin() + i);
        heap_blocks--;
        break;
      }
  }
  __real_free(at);
}

uint64_t clock_ticks() {
  return (uint64_t)std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char *readable_type(const char *mangled) {
  int status = 0;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  return text ? text : mangled;
}

}  // namespace hipport_wave
