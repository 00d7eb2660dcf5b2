// Shuffles, votes, matches, reductions and barriers, in CUDA's and in HIP's spelling.
#ifndef HIPPORT_WAVE_WARP_H
#define HIPPORT_WAVE_WARP_H

#include "types.h"

#include <type_traits>

#if HIPPORT_WAVE_SIZE == 64
#define HIPPORT_FULL_MASK 0xffffffffffffffffull
typedef unsigned long long hipport_lanes;
#else
#define HIPPORT_FULL_MASK 0xffffffffull
#ifdef HIPPORT_HIP
typedef unsigned long long hipport_lanes;
#else
typedef unsigned int hipport_lanes;
#endif
#endif

namespace hipport_wave {
template <class T>
HIPPORT_INLINE T exchange(int what, unsigned long long mask, T value, int argument, int width, Site site) {
  static_assert(std::is_trivially_copyable<T>::value, "lanes exchange plain values");
  T result;
  collective(what, mask, &value, &result, sizeof(T), argument, width, site);
  return result;
}
HIPPORT_INLINE unsigned long long vote(unsigned long long mask, int predicate, Site site) {
  return collective(BALLOT, mask, nullptr, nullptr, 0, predicate != 0, 0, site);
}
HIPPORT_INLINE unsigned long long lanes_here(Site site) { return collective(BALLOT, 0, nullptr, nullptr, 0, 1, 0, site); }
template <class T>
HIPPORT_INLINE T reduce_lanes(unsigned long long mask, T value, int how, Site site) {
  T result;
  collective(REDUCE, mask, &value, &result, sizeof(T), how, 0, site);
  return result;
}
}  // namespace hipport_wave

#define HIPPORT_SHUFFLE(name, what, Argument)                                                                                   \
  template <class T>                                                                                                            \
  HIPPORT_INLINE T name##_sync(unsigned long long mask, T value, Argument argument, int width = warpSize, HIPPORT_SITE) {       \
    return ::hipport_wave::exchange(::hipport_wave::what, mask, value, (int)argument, width, HIPPORT_HERE);                     \
  }                                                                                                                             \
  template <class T>                                                                                                            \
  HIPPORT_INLINE T name(T value, Argument argument, int width = warpSize, HIPPORT_SITE) {                                       \
    return ::hipport_wave::exchange(::hipport_wave::what, 0, value, (int)argument, width, HIPPORT_HERE);                        \
  }
HIPPORT_SHUFFLE(__shfl, SHUFFLE, int)
HIPPORT_SHUFFLE(__shfl_up, SHUFFLE_UP, unsigned)
HIPPORT_SHUFFLE(__shfl_down, SHUFFLE_DOWN, unsigned)
HIPPORT_SHUFFLE(__shfl_xor, SHUFFLE_XOR, int)
#undef HIPPORT_SHUFFLE

HIPPORT_INLINE hipport_lanes __ballot_sync(unsigned long long mask, int predicate, HIPPORT_SITE) {
  return (hipport_lanes)::hipport_wave::vote(mask, predicate, HIPPORT_HERE);
}
HIPPORT_INLINE hipport_lanes __ballot(int predicate, HIPPORT_SITE) { return (hipport_lanes)::hipport_wave::vote(0, predicate, HIPPORT_HERE); }
HIPPORT_INLINE hipport_lanes __activemask(HIPPORT_SITE) { return (hipport_lanes)::hipport_wave::lanes_here(HIPPORT_HERE); }
HIPPORT_INLINE int __any_sync(unsigned long long mask, int predicate, HIPPORT_SITE) {
  return ::hipport_wave::vote(mask, predicate, HIPPORT_HERE) != 0;
}
HIPPORT_INLINE int __all_sync(unsigned long long mask, int predicate, HIPPORT_SITE) {
  return ::hipport_wave::vote(mask, !predicate, HIPPORT_HERE) == 0;
}
HIPPORT_INLINE int __any(int predicate, HIPPORT_SITE) { return ::hipport_wave::vote(0, predicate, HIPPORT_HERE) != 0; }
HIPPORT_INLINE int __all(int predicate, HIPPORT_SITE) { return ::hipport_wave::vote(0, !predicate, HIPPORT_HERE) == 0; }
HIPPORT_INLINE void __syncwarp(unsigned long long mask = HIPPORT_FULL_MASK, HIPPORT_SITE) {
  ::hipport_wave::collective(::hipport_wave::SYNC, mask, nullptr, nullptr, 0, 0, 0, HIPPORT_HERE);
}
HIPPORT_INLINE void hipport_wave_barrier(HIPPORT_SITE) {
  ::hipport_wave::collective(::hipport_wave::SYNC, 0, nullptr, nullptr, 0, 0, 0, HIPPORT_HERE);
}
template <class T>
HIPPORT_INLINE hipport_lanes __match_any_sync(unsigned long long mask, T value, HIPPORT_SITE) {
  return (hipport_lanes)::hipport_wave::collective(::hipport_wave::MATCH_ANY, mask, &value, nullptr, sizeof value, 0, 0, HIPPORT_HERE);
}
template <class T>
HIPPORT_INLINE hipport_lanes __match_any(T value, HIPPORT_SITE) {
  return (hipport_lanes)::hipport_wave::collective(::hipport_wave::MATCH_ANY, 0, &value, nullptr, sizeof value, 0, 0, HIPPORT_HERE);
}
template <class T>
HIPPORT_INLINE hipport_lanes __match_all_sync(unsigned long long mask, T value, int *all, HIPPORT_SITE) {
  const hipport_lanes lanes =
      (hipport_lanes)::hipport_wave::collective(::hipport_wave::MATCH_ALL, mask, &value, nullptr, sizeof value, 0, 0, HIPPORT_HERE);
  *all = lanes != 0;
  return lanes;
}
#define HIPPORT_REDUCE(name, Signed, Unsigned)                                                                          \
  HIPPORT_INLINE unsigned __reduce_##name##_sync(unsigned long long mask, unsigned value, HIPPORT_SITE) {               \
    return ::hipport_wave::reduce_lanes(mask, value, ::hipport_wave::Unsigned, HIPPORT_HERE);                           \
  }                                                                                                                     \
  HIPPORT_INLINE int __reduce_##name##_sync(unsigned long long mask, int value, HIPPORT_SITE) {                         \
    return ::hipport_wave::reduce_lanes(mask, value, ::hipport_wave::Signed, HIPPORT_HERE);                             \
  }
HIPPORT_REDUCE(add, ADD, ADD)
HIPPORT_REDUCE(min, MIN_SIGNED, MIN_UNSIGNED)
HIPPORT_REDUCE(max, MAX_SIGNED, MAX_UNSIGNED)
HIPPORT_REDUCE(and, AND, AND)
HIPPORT_REDUCE(or, OR, OR)
HIPPORT_REDUCE(xor, XOR, XOR)
#undef HIPPORT_REDUCE

HIPPORT_INLINE void __syncthreads(HIPPORT_SITE) { ::hipport_wave::barrier(::hipport_wave::BARRIER, 0, HIPPORT_HERE); }
HIPPORT_INLINE int __syncthreads_count(int p, HIPPORT_SITE) { return ::hipport_wave::barrier(::hipport_wave::BARRIER_COUNT, p, HIPPORT_HERE); }
HIPPORT_INLINE int __syncthreads_and(int p, HIPPORT_SITE) { return ::hipport_wave::barrier(::hipport_wave::BARRIER_AND, p, HIPPORT_HERE); }
HIPPORT_INLINE int __syncthreads_or(int p, HIPPORT_SITE) { return ::hipport_wave::barrier(::hipport_wave::BARRIER_OR, p, HIPPORT_HERE); }
HIPPORT_INLINE void __threadfence() { ::hipport_wave::fence(); }
HIPPORT_INLINE void __threadfence_block() { ::hipport_wave::fence(); }
HIPPORT_INLINE void __threadfence_system() { ::hipport_wave::fence(); }
HIPPORT_INLINE void __nanosleep(unsigned) { ::hipport_wave::pause(); }
HIPPORT_INLINE unsigned __lane_id() { return ::hipport_wave::lane_number(); }
#ifdef HIPPORT_HIP
#define __builtin_amdgcn_wave_barrier() hipport_wave_barrier()
#define __builtin_amdgcn_fence(...) ::hipport_wave::fence()
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_wavefrontsize() HIPPORT_WAVE_SIZE
#define __builtin_amdgcn_readfirstlane(v) hipport_first_lane(v)
#define __builtin_amdgcn_mbcnt_lo(mask, add) ((add) + __builtin_popcount((mask) & (unsigned)((1ull << (__lane_id() < 32 ? __lane_id() : 32)) - 1)))
#define __builtin_amdgcn_mbcnt_hi(mask, add) ((add) + (__lane_id() < 32 ? 0 : __builtin_popcount((mask) & (unsigned)((1ull << (__lane_id() - 32)) - 1))))
template <class T>
HIPPORT_INLINE T hipport_first_lane(T value, HIPPORT_SITE) {
  const unsigned long long here = ::hipport_wave::lanes_here(HIPPORT_HERE);
  return ::hipport_wave::exchange(::hipport_wave::SHUFFLE, 0, value, __builtin_ctzll(here), warpSize, HIPPORT_HERE);
}
#endif

#endif
