// What every source gets first: the keywords, the builtins, and the host functions.
#ifndef HIPPORT_WAVE_DEVICE_H
#define HIPPORT_WAVE_DEVICE_H

#include <stddef.h>
// the runtime's own, which check; declared before the C library's, so that the compiler's copies take them too
#ifndef HIPPORT_RUNTIME
extern "C" {
void *memcpy(void *__restrict to, const void *__restrict from, size_t bytes) noexcept(true) __asm__("hipport_wave_memcpy");
void *memmove(void *to, const void *from, size_t bytes) noexcept(true) __asm__("hipport_wave_memmove");
void *memset(void *to, int value, size_t bytes) noexcept(true) __asm__("hipport_wave_memset");
}
#endif

#include <assert.h>
#include <limits.h>
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <new>
#include <type_traits>
#include <utility>

#include "../hipport_wave.h"

#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__
#define __host_device__
#define __managed__
#define __cudart_builtin__
#define __inline_hint__
#define __nv_nodebug__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

#include "types.h"
#include "warp.h"
#include "atomics.h"
#include "math.h"

#define __trap() ::hipport_wave::stop_trap()
#define __builtin_trap() ::hipport_wave::stop_trap()
#define __brkpt() ::hipport_wave::stop_trap()

template <class T> HIPPORT_INLINE T __ldg(const T *at) { return *at; }
template <class T> HIPPORT_INLINE T __ldcg(const T *at) { return *at; }
template <class T> HIPPORT_INLINE T __ldca(const T *at) { return *at; }
template <class T> HIPPORT_INLINE T __ldcs(const T *at) { return *at; }
template <class T> HIPPORT_INLINE T __ldlu(const T *at) { return *at; }
template <class T> HIPPORT_INLINE T __ldcv(const T *at) { return *at; }
template <class T, class U> HIPPORT_INLINE void __stcg(T *at, U value) { *at = (T)value; }
template <class T, class U> HIPPORT_INLINE void __stcs(T *at, U value) { *at = (T)value; }
template <class T, class U> HIPPORT_INLINE void __stwb(T *at, U value) { *at = (T)value; }
template <class T, class U> HIPPORT_INLINE void __stwt(T *at, U value) { *at = (T)value; }

HIPPORT_INLINE long long clock64() { return (long long)::hipport_wave::clock_ticks(); }
HIPPORT_INLINE long long wall_clock64() { return (long long)::hipport_wave::clock_ticks(); }
HIPPORT_INLINE clock_t hipport_clock() { return (clock_t)::hipport_wave::clock_ticks(); }

namespace hipport_wave {
template <class T>
struct Type;  // never defined: only its name is asked for
template <class... A>
constexpr uint32_t offset_of(unsigned which) {
  uint32_t at = 0, found = 0;
  unsigned i = 0;
  auto one = [&](uint32_t size, uint32_t align) {
    at = (at + align - 1) / align * align;
    if (i++ == which) found = at;
    at += size;
  };
  (one(sizeof(A), alignof(A)), ...);
  return which < sizeof...(A) ? found : at;
}
const char *readable_type(const char *mangled);
}  // namespace hipport_wave

#ifdef HIPPORT_KERNELS
#include <typeinfo>
namespace hipport_wave {
template <class... A, size_t... I>
inline void call_with(const void *function, const char *bytes, std::index_sequence<I...>) {
  ((void (*)(A...))function)(*(const std::remove_reference_t<A> *)(bytes + offset_of<A...>(I))...);
}
template <class... A>
inline int register_kernel(const char *name, void (*kernel)(A...), unsigned max_block) {
  static const Parameter none{};
  auto *parameters = sizeof...(A) ? new Parameter[sizeof...(A)] : const_cast<Parameter *>(&none);
  unsigned i = 0;
  ((parameters[i] = {readable_type(typeid(A).name()), offset_of<A...>(i), sizeof(A), std::is_pointer<A>::value}, i++), ...);
  add(new Registered{name, (const void *)kernel, parameters, (unsigned)sizeof...(A), offset_of<A...>(sizeof...(A)), max_block,
                     [](const void *function, const char *bytes) { call_with<A...>(function, bytes, std::index_sequence_for<A...>()); }});
  return 0;
}
}  // namespace hipport_wave
#endif

#endif
