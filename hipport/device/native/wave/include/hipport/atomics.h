// Atomic operations: the check first, then the machine's own.
#ifndef HIPPORT_WAVE_ATOMICS_H
#define HIPPORT_WAVE_ATOMICS_H

#include "types.h"

#include <string.h>
#include <type_traits>

namespace hipport_wave {
template <size_t N> struct Bits;
template <> struct Bits<1> { using type = uint8_t; };
template <> struct Bits<2> { using type = uint16_t; };
template <> struct Bits<4> { using type = uint32_t; };
template <> struct Bits<8> { using type = uint64_t; };

bool atomic_swap(volatile uint8_t *at, uint8_t *expected, uint8_t value);
bool atomic_swap(volatile uint16_t *at, uint16_t *expected, uint16_t value);
bool atomic_swap(volatile uint32_t *at, uint32_t *expected, uint32_t value);
bool atomic_swap(volatile uint64_t *at, uint64_t *expected, uint64_t value);
uint8_t atomic_read(const volatile uint8_t *at);
uint16_t atomic_read(const volatile uint16_t *at);
uint32_t atomic_read(const volatile uint32_t *at);
uint64_t atomic_read(const volatile uint64_t *at);

// Replaces *at by change(*at); gives the value before.
template <class T, class Change>
HIPPORT_INLINE T atomic_change(volatile T *at, Change change) {
  using Raw = typename Bits<sizeof(T)>::type;
  atomic_access(at, sizeof(T), true);
  Raw seen = atomic_read((const volatile Raw *)at);
  for (;;) {
    T old, fresh;
    memcpy(&old, &seen, sizeof old);
    fresh = change(old);
    Raw wanted;
    memcpy(&wanted, &fresh, sizeof wanted);
    if (atomic_swap((volatile Raw *)at, &seen, wanted)) return old;
  }
}
template <class T> struct Same { using type = T; };
}  // namespace hipport_wave

#define HIPPORT_ATOMIC_SCOPES(T, name)                                                                                                     \
  HIPPORT_INLINE T name##_block(T *at, T value) { return name(at, value); }                                                                \
  HIPPORT_INLINE T name##_system(T *at, T value) { return name(at, value); }
#define HIPPORT_ATOMIC(T, name, expression)                                                                                                \
  HIPPORT_INLINE T name(T *at, T value) { return ::hipport_wave::atomic_change((volatile T *)at, [=](T old) -> T { return expression; }); } \
  HIPPORT_ATOMIC_SCOPES(T, name)
#define HIPPORT_ATOMIC_NUMBER(T)                       \
  HIPPORT_ATOMIC(T, atomicAdd, (T)(old + value))       \
  HIPPORT_ATOMIC(T, atomicSub, (T)(old - value))       \
  HIPPORT_ATOMIC(T, atomicMin, value < old ? value : old) \
  HIPPORT_ATOMIC(T, atomicMax, old < value ? value : old) \
  HIPPORT_ATOMIC(T, atomicExch, value)
#define HIPPORT_ATOMIC_BITS(T)                    \
  HIPPORT_ATOMIC(T, atomicAnd, (T)(old & value))  \
  HIPPORT_ATOMIC(T, atomicOr, (T)(old | value))   \
  HIPPORT_ATOMIC(T, atomicXor, (T)(old ^ value))
#define HIPPORT_ATOMIC_CAS(T)                                                                                                   \
  HIPPORT_INLINE T atomicCAS(T *at, T compare, T value) {                                                                       \
    return ::hipport_wave::atomic_change((volatile T *)at, [=](T old) -> T { return old == compare ? value : old; });           \
  }                                                                                                                             \
  HIPPORT_INLINE T atomicCAS_block(T *at, T compare, T value) { return atomicCAS(at, compare, value); }                         \
  HIPPORT_INLINE T atomicCAS_system(T *at, T compare, T value) { return atomicCAS(at, compare, value); }

HIPPORT_ATOMIC_NUMBER(int)
HIPPORT_ATOMIC_NUMBER(unsigned int)
HIPPORT_ATOMIC_NUMBER(long)
HIPPORT_ATOMIC_NUMBER(unsigned long)
HIPPORT_ATOMIC_NUMBER(long long)
HIPPORT_ATOMIC_NUMBER(unsigned long long)
HIPPORT_ATOMIC_NUMBER(float)
HIPPORT_ATOMIC_NUMBER(double)
HIPPORT_ATOMIC_BITS(int)
HIPPORT_ATOMIC_BITS(unsigned int)
HIPPORT_ATOMIC_BITS(long)
HIPPORT_ATOMIC_BITS(unsigned long)
HIPPORT_ATOMIC_BITS(long long)
HIPPORT_ATOMIC_BITS(unsigned long long)
HIPPORT_ATOMIC_CAS(int)
HIPPORT_ATOMIC_CAS(unsigned int)
HIPPORT_ATOMIC_CAS(unsigned short)
HIPPORT_ATOMIC_CAS(long)
HIPPORT_ATOMIC_CAS(unsigned long)
HIPPORT_ATOMIC_CAS(long long)
HIPPORT_ATOMIC_CAS(unsigned long long)
HIPPORT_ATOMIC_CAS(float)
HIPPORT_ATOMIC_CAS(double)
HIPPORT_ATOMIC(unsigned int, atomicInc, old >= value ? 0u : old + 1u)
HIPPORT_ATOMIC(unsigned int, atomicDec, old == 0u || old > value ? value : old - 1u)

// Mixed arguments, as the fixed overloads of CUDA take them: the value turns into the place's type.
#define HIPPORT_ATOMIC_MIXED(name)                                                                                  \
  template <class T, class U, class = std::enable_if_t<std::is_arithmetic<T>::value && std::is_arithmetic<U>::value && !std::is_same<T, U>::value>> \
  HIPPORT_INLINE T name(T *at, U value) { return name(at, (T)value); }
HIPPORT_ATOMIC_MIXED(atomicAdd)
HIPPORT_ATOMIC_MIXED(atomicSub)
HIPPORT_ATOMIC_MIXED(atomicMin)
HIPPORT_ATOMIC_MIXED(atomicMax)
HIPPORT_ATOMIC_MIXED(atomicExch)
HIPPORT_ATOMIC_MIXED(atomicAnd)
HIPPORT_ATOMIC_MIXED(atomicOr)
HIPPORT_ATOMIC_MIXED(atomicXor)
#undef HIPPORT_ATOMIC_MIXED

template <class T> HIPPORT_INLINE T *atomicExch(T **at, T *value) { return (T *)atomicExch((unsigned long long *)at, (unsigned long long)value); }
#ifdef HIPPORT_HIP
template <class T, class U> HIPPORT_INLINE T unsafeAtomicAdd(T *at, U value) { return atomicAdd(at, (T)value); }
template <class T, class U> HIPPORT_INLINE T safeAtomicAdd(T *at, U value) { return atomicAdd(at, (T)value); }
template <class T, class U> HIPPORT_INLINE T atomicAddNoRet(T *at, U value) { return atomicAdd(at, (T)value); }
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
// names that clang keeps for itself
#define __hip_atomic_fetch_add hipport_atomic_fetch_add
#define __hip_atomic_exchange hipport_atomic_exchange
#define __hip_atomic_load hipport_atomic_load
#define __hip_atomic_store hipport_atomic_store
template <class T, class U> HIPPORT_INLINE T __hip_atomic_fetch_add(T *at, U value, int, int) { return atomicAdd(at, (T)value); }
template <class T, class U> HIPPORT_INLINE T __hip_atomic_exchange(T *at, U value, int, int) { return atomicExch(at, (T)value); }
template <class T> HIPPORT_INLINE T __hip_atomic_load(const T *at, int, int) {
  return ::hipport_wave::atomic_change((volatile T *)const_cast<T *>(at), [](T old) { return old; });
}
template <class T, class U> HIPPORT_INLINE void __hip_atomic_store(T *at, U value, int, int) { atomicExch(at, (T)value); }
#endif

#endif
