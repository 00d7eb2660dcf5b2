// The machine's own atomic operations, out of the compiler's sight.
#include "wave.h"

namespace hipport_wave {
#define ATOMIC(T)                                                                                                     \
  bool atomic_swap(volatile T *at, T *expected, T value) {                                                               \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
  }                                                                                                                   \
  T atomic_read(const volatile T *at) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
ATOMIC(uint8_t)
ATOMIC(uint16_t)
ATOMIC(uint32_t)
ATOMIC(uint64_t)
}  // namespace hipport_wave
