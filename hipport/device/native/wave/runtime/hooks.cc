// What the compiler's -fsanitize=thread calls before every load and store, and our own atomics.
#include "access.h"

#include <cstring>

namespace hipport_wave {

static inline void check(uintptr_t a, unsigned n, bool write, bool atomic, uintptr_t pc, uintptr_t frame) {
  Worker *w = worker;
  if (w == nullptr || w->current == nullptr) return;
  if (a - w->stack < STACK_BYTES) return;
  if (w->pending.bytes) settle_pending(*w);
  Fiber &f = *w->current;
  f.accesses++;
  if (--f.patience == 0) {
    if (w->job->budget && f.accesses > w->job->budget) runaway(*w, pc, frame);
    f.patience = PATIENCE;
    f.synchronised = ++w->now;
    switch_to_scheduler();
  }
  const Access from{pc, frame, write, atomic};
  if (a - w->shared < w->shared_bytes || (w->dynamic_bytes && a - w->dynamic < w->dynamic_bytes)) shared_access(*w, a, n, from);
  else global_access(*w, a, n, from);
  if (!write || atomic) return;
  PendingWrite &p = w->pending;
  p.address = a;
  p.bytes = n;
  keep(p.before, (void *)a, n);
  p.fiber = &f;
  p.pc = pc;
}

static inline void range(uintptr_t a, size_t n, bool write, uintptr_t pc, uintptr_t frame) {
  while (n > 0) {
    size_t step = 16 - (a & 15);
    if (step > n) step = n;
    check(a, (unsigned)step, write, false, pc, frame);
    a += step;
    n -= step;
  }
}

void atomic_access(const volatile void *at, unsigned bytes, bool writes) {
  if (!on_device()) return;
  const uintptr_t a = (uintptr_t)at, pc = (uintptr_t)__builtin_return_address(0), frame = (uintptr_t)__builtin_frame_address(0);
  if (a % bytes)
    fault(HIPPORT_MISALIGNED, pc, frame, a, bytes, "atomic operation on %u bytes at 0x%zx, which is no multiple of %u", bytes, (size_t)a,
          bytes);
  check(a, bytes, false, true, pc, frame);
  if (writes) check(a, bytes, true, true, pc, frame);
  worker->current->synchronised = ++worker->now;
  worker->current->patience -= worker->current->patience > 64 ? 63 : 0;
}

}  // namespace hipport_wave

using namespace hipport_wave;
#define PC ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0))
#define EXPORT extern "C" __attribute__((visibility("default"), noinline))

#define HOOK(n)                                                                           \
  EXPORT void __tsan_read##n(void *a) { check((uintptr_t)a, n, false, false, PC, FRAME); } \
  EXPORT void __tsan_write##n(void *a) { check((uintptr_t)a, n, true, false, PC, FRAME); } \
  EXPORT void __tsan_unaligned_read##n(void *a) { check((uintptr_t)a, n, false, false, PC, FRAME); } \
  EXPORT void __tsan_unaligned_write##n(void *a) { check((uintptr_t)a, n, true, false, PC, FRAME); } \
  EXPORT void __tsan_volatile_read##n(void *a) { check((uintptr_t)a, n, false, false, PC, FRAME); } \
  EXPORT void __tsan_volatile_write##n(void *a) { check((uintptr_t)a, n, true, false, PC, FRAME); } \
  EXPORT void __tsan_unaligned_volatile_read##n(void *a) { check((uintptr_t)a, n, false, false, PC, FRAME); } \
  EXPORT void __tsan_unaligned_volatile_write##n(void *a) { check((uintptr_t)a, n, true, false, PC, FRAME); } \
  EXPORT void __tsan_read_write##n(void *a) {                                              \
    check((uintptr_t)a, n, false, false, PC, FRAME);                                       \
    check((uintptr_t)a, n, true, false, PC, FRAME);                                        \
  }                                                                                        \
  EXPORT void __tsan_unaligned_read_write##n(void *a) {                                    \
    check((uintptr_t)a, n, false, false, PC, FRAME);                                       \
    check((uintptr_t)a, n, true, false, PC, FRAME);                                        \
  }
HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)

EXPORT void __tsan_read_range(void *a, size_t n) { range((uintptr_t)a, n, false, PC, FRAME); }
EXPORT void __tsan_write_range(void *a, size_t n) { range((uintptr_t)a, n, true, PC, FRAME); }
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n) {
  range((uintptr_t)from, n, false, PC, FRAME);
  range((uintptr_t)to, n, true, PC, FRAME);
  return memcpy(to, from, n);
}
EXPORT void *__tsan_memmove(void *to, const void *from, size_t n) {
  range((uintptr_t)from, n, false, PC, FRAME);
  range((uintptr_t)to, n, true, PC, FRAME);
  return memmove(to, from, n);
}
EXPORT void *__tsan_memset(void *to, int value, size_t n) {
  range((uintptr_t)to, n, true, PC, FRAME);
  return memset(to, value, n);
}
EXPORT void __tsan_init() {}
EXPORT void __tsan_func_entry(void *) {}
EXPORT void __tsan_func_exit() {}
EXPORT void __tsan_vptr_update(void **, void *) {}
EXPORT void __tsan_vptr_read(void **) {}
EXPORT void __tsan_ignore_thread_begin() {}
EXPORT void __tsan_ignore_thread_end() {}

// Atomic operations that the source itself writes: std::atomic, __atomic_*, __sync_*.
#define SEEN(a, n, writes) (on_device() ? atomic_access((const volatile void *)(a), n, writes) : (void)0)
#define ATOMIC(bits, T)                                                                                                      \
  EXPORT T __tsan_atomic##bits##_load(const volatile T *a, int) {                                                            \
    SEEN(a, bits / 8, false);                                                                                                \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                             \
  }                                                                                                                          \
  EXPORT void __tsan_atomic##bits##_store(volatile T *a, T v, int) {                                                         \
    SEEN(a, bits / 8, true);                                                                                                 \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                                \
  }                                                                                                                          \
  EXPORT T __tsan_atomic##bits##_exchange(volatile T *a, T v, int) {                                                         \
    SEEN(a, bits / 8, true);                                                                                                 \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                                      \
  }                                                                                                                          \
  EXPORT T __tsan_atomic##bits##_fetch_add(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST); } \
  EXPORT T __tsan_atomic##bits##_fetch_sub(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST); } \
  EXPORT T __tsan_atomic##bits##_fetch_and(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST); } \
  EXPORT T __tsan_atomic##bits##_fetch_or(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST); }   \
  EXPORT T __tsan_atomic##bits##_fetch_xor(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST); } \
  EXPORT T __tsan_atomic##bits##_fetch_nand(volatile T *a, T v, int) { SEEN(a, bits / 8, true); return __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST); } \
  EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T *a, T *c, T v, int, int) {                             \
    SEEN(a, bits / 8, true);                                                                                                 \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                  \
  }                                                                                                                          \
  EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T *a, T *c, T v, int, int) {                               \
    SEEN(a, bits / 8, true);                                                                                                 \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                  \
  }                                                                                                                          \
  EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T c, T v, int, int) {                                   \
    SEEN(a, bits / 8, true);                                                                                                 \
    __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                        \
    return c;                                                                                                                \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
EXPORT void __tsan_atomic_thread_fence(int) { fence(); }
EXPORT void __tsan_atomic_signal_fence(int) {}
