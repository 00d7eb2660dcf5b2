// WarpReduce, WarpScan, WarpExchange and what goes with them. Steps go 1, 2, 4, ... as cub's shuffles do.
#ifndef HIPPORT_WAVE_CUB_WARP_H
#define HIPPORT_WAVE_CUB_WARP_H

#include "cub_common.h"

namespace cub {

namespace detail {
// A logical warp of N lanes, aligned within the wave.
template <int N>
struct LogicalWarp {
  static_assert(N >= 1 && N <= HIPPORT_WAVE_SIZE, "a logical warp is no wider than the wave");
  unsigned lane, first;
  unsigned long long mask;
  HIPPORT_INLINE LogicalWarp() {
    const unsigned l = ::hipport_wave::lane_number();
    first = l / N * N, lane = l - first;
    mask = below(N) << first;
    if (HIPPORT_WAVE_SIZE < 64) mask &= below(HIPPORT_WAVE_SIZE);
  }
  template <class T> HIPPORT_INLINE T from(T value, unsigned other, ::hipport_wave::Site s) const {
    return ::hipport_wave::exchange(::hipport_wave::SHUFFLE, mask, value, (int)(first + other), HIPPORT_WAVE_SIZE, s);
  }
  template <class T, class Op> HIPPORT_INLINE T reduced(T value, Op op, int valid, ::hipport_wave::Site s) const {
    for (int step = 1; step < N; step *= 2) {
      const unsigned other = (int)lane + step < valid ? lane + step : lane;
      const T more = from(value, other, s);
      if (other != lane) value = op(value, more);
    }
    return value;
  }
  template <class T, class Op> HIPPORT_INLINE T scanned(T value, Op op, ::hipport_wave::Site s) const {
    for (int step = 1; step < N; step *= 2) {
      const T less = from(value, (int)lane >= step ? lane - step : lane, s);
      if ((int)lane >= step) value = op(less, value);
    }
    return value;
  }
};
}  // namespace detail

template <class T, int N = HIPPORT_WAVE_SIZE, int Arch = 0>
class WarpReduce {
 public:
  struct TempStorage {};
  HIPPORT_INLINE explicit WarpReduce(TempStorage &) {}
  template <class Op> HIPPORT_INLINE T Reduce(T v, Op op, HIPPORT_SITE) { return detail::LogicalWarp<N>().reduced(v, op, N, HIPPORT_HERE); }
  template <class Op> HIPPORT_INLINE T Reduce(T v, Op op, int valid, HIPPORT_SITE) { return detail::LogicalWarp<N>().reduced(v, op, valid, HIPPORT_HERE); }
  HIPPORT_INLINE T Sum(T v, HIPPORT_SITE) { return detail::LogicalWarp<N>().reduced(v, cub::Sum(), N, HIPPORT_HERE); }
  HIPPORT_INLINE T Sum(T v, int valid, HIPPORT_SITE) { return detail::LogicalWarp<N>().reduced(v, cub::Sum(), valid, HIPPORT_HERE); }
  template <class Flag> HIPPORT_INLINE T HeadSegmentedSum(T v, Flag head, HIPPORT_SITE) { return HeadSegmentedReduce(v, head, cub::Sum(), hipport_file, hipport_line); }
  template <class Flag, class Op> HIPPORT_INLINE T HeadSegmentedReduce(T v, Flag head, Op op, HIPPORT_SITE) {
    const detail::LogicalWarp<N> w;
    const unsigned long long heads = ::hipport_wave::vote(w.mask, head, HIPPORT_HERE) >> w.first & ~detail::below(w.lane + 1);
    return w.reduced(v, op, heads ? __builtin_ctzll(heads) : N, HIPPORT_HERE);
  }
  template <class Flag> HIPPORT_INLINE T TailSegmentedSum(T v, Flag tail, HIPPORT_SITE) {
    const detail::LogicalWarp<N> w;
    const unsigned long long tails = ::hipport_wave::vote(w.mask, tail, HIPPORT_HERE) >> w.first & ~detail::below(w.lane);
    return w.reduced(v, cub::Sum(), tails ? __builtin_ctzll(tails) + 1 : N, HIPPORT_HERE);
  }
};

template <class T, int N = HIPPORT_WAVE_SIZE, int Arch = 0>
class WarpScan {
 public:
  struct TempStorage {};
  HIPPORT_INLINE explicit WarpScan(TempStorage &) {}
  template <class Op> HIPPORT_INLINE void InclusiveScan(T v, T &out, Op op, HIPPORT_SITE) { out = detail::LogicalWarp<N>().scanned(v, op, HIPPORT_HERE); }
  template <class Op> HIPPORT_INLINE void InclusiveScan(T v, T &out, Op op, T &all, HIPPORT_SITE) {
    const detail::LogicalWarp<N> w;
    out = w.scanned(v, op, HIPPORT_HERE);
    all = w.from(out, N - 1, HIPPORT_HERE);
  }
  HIPPORT_INLINE void InclusiveSum(T v, T &out, HIPPORT_SITE) { InclusiveScan(v, out, cub::Sum(), hipport_file, hipport_line); }
  HIPPORT_INLINE void InclusiveSum(T v, T &out, T &all, HIPPORT_SITE) { InclusiveScan(v, out, cub::Sum(), all, hipport_file, hipport_line); }
  template <class Op> HIPPORT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, HIPPORT_SITE) {
    const detail::LogicalWarp<N> w;
    const T all = w.scanned(v, op, HIPPORT_HERE);
    const T below = w.from(all, w.lane ? w.lane - 1 : 0, HIPPORT_HERE);
    out = w.lane ? op(first, below) : first;
  }
  template <class Op> HIPPORT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, T &all, HIPPORT_SITE) {
    const detail::LogicalWarp<N> w;
    const T sum = w.scanned(v, op, HIPPORT_HERE);
    const T below = w.from(sum, w.lane ? w.lane - 1 : 0, HIPPORT_HERE);
    all = w.from(sum, N - 1, HIPPORT_HERE);
    out = w.lane ? op(first, below) : first;
  }
  HIPPORT_INLINE void ExclusiveSum(T v, T &out, HIPPORT_SITE) { ExclusiveScan(v, out, T{}, cub::Sum(), hipport_file, hipport_line); }
  HIPPORT_INLINE void ExclusiveSum(T v, T &out, T &all, HIPPORT_SITE) { ExclusiveScan(v, out, T{}, cub::Sum(), all, hipport_file, hipport_line); }
  HIPPORT_INLINE T Broadcast(T v, unsigned lane, HIPPORT_SITE) { return detail::LogicalWarp<N>().from(v, lane, HIPPORT_HERE); }
};

}  // namespace cub
#endif
