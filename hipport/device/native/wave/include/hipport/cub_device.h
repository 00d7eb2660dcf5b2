// The device-wide algorithms, on the host: the memory is the same.
#ifndef HIPPORT_WAVE_CUB_DEVICE_H
#define HIPPORT_WAVE_CUB_DEVICE_H

#include "cub_block.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

namespace hipport_wave {
void host_wrote(const void *from, size_t bytes);
template <class T> inline void wrote(T *from, size_t count) { host_wrote(from, count * sizeof(T)); }
template <class It> inline void wrote(It, size_t) {}
}  // namespace hipport_wave

namespace cub {

#define HIPPORT_CUB_ASKED              \
  if (temporary == nullptr) {          \
    bytes = 256;                       \
    return cudaSuccess;                \
  }
#define HIPPORT_CUB_TAIL cudaStream_t = nullptr, bool = false

namespace detail {
template <class It> using Value = std::decay_t<decltype(*std::declval<It &>())>;
// sums are kept in the type that the operator gives: of bools, in ints
template <class Op, class T, class In> using Accumulated = std::decay_t<decltype(std::declval<Op &>()(std::declval<T>(), std::declval<Value<In>>()))>;
template <class In, class Out, class Op, class T>
inline void scan(In in, Out out, Op op, T first, size_t n, bool inclusive, bool has_first) {
  typedef Accumulated<Op, T, In> Sum;
  Sum at = (Sum)first;
  for (size_t i = 0; i < n; i++) {
    const Value<In> v = in[i];
    if (inclusive) {
      at = i || has_first ? (Sum)op(at, v) : (Sum)v;
      out[i] = at;
    } else {
      const Sum next = op(at, v);
      out[i] = at;
      at = next;
    }
  }
  ::hipport_wave::wrote(out, n);
}
}  // namespace detail

struct DeviceReduce {
  template <class In, class Out, class N, class Op, class T>
  static cudaError_t Reduce(void *temporary, size_t &bytes, In in, Out out, N n, Op op, T first, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    auto sum = detail::Accumulated<Op, T, In>(first);
    for (size_t i = 0; i < (size_t)n; i++) sum = op(sum, in[i]);
    *out = sum;
    ::hipport_wave::wrote(out, 1);
    return cudaSuccess;
  }
  template <class In, class Out, class N> static cudaError_t Sum(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, cub::Sum(), detail::Value<Out>{});
  }
  template <class In, class Out, class N> static cudaError_t Max(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, cub::Max(), std::numeric_limits<detail::Value<In>>::lowest());
  }
  template <class In, class Out, class N> static cudaError_t Min(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, cub::Min(), std::numeric_limits<detail::Value<In>>::max());
  }
  template <bool Most, class In, class Out, class N> static cudaError_t arg(void *temporary, size_t &bytes, In in, Out out, N n) {
    HIPPORT_CUB_ASKED
    size_t best = 0;
    for (size_t i = 1; i < (size_t)n; i++)
      if (Most ? in[best] < in[i] : in[i] < in[best]) best = i;
    out->key = (int)best;
    out->value = in[best];
    ::hipport_wave::wrote(out, 1);
    return cudaSuccess;
  }
  template <class In, class Out, class N> static cudaError_t ArgMax(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) { return arg<true>(t, b, in, out, n); }
  template <class In, class Out, class N> static cudaError_t ArgMin(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) { return arg<false>(t, b, in, out, n); }
  template <class K, class U, class V, class A, class C, class Op, class N>
  static cudaError_t ReduceByKey(void *temporary, size_t &bytes, K keys, U unique, V values, A sums, C count, Op op, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    size_t runs = 0;
    for (size_t i = 0; i < (size_t)n; i++) {
      if (i && keys[i] == keys[i - 1]) sums[runs - 1] = op(sums[runs - 1], values[i]);
      else unique[runs] = keys[i], sums[runs] = values[i], runs++;
    }
    *count = (detail::Value<C>)runs;
    ::hipport_wave::wrote(unique, runs), ::hipport_wave::wrote(sums, runs), ::hipport_wave::wrote(count, 1);
    return cudaSuccess;
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int n, Begin begin, End end, Op op, T first, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    for (int s = 0; s < n; s++) {
      T sum = first;
      for (auto i = begin[s]; i < end[s]; i++) sum = (T)op(sum, in[i]);
      out[s] = sum;
    }
    ::hipport_wave::wrote(out, n);
    return cudaSuccess;
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void *t, size_t &b, In in, Out out, int n, Begin begin, End end, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, begin, end, cub::Sum(), detail::Value<In>{});
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void *t, size_t &b, In in, Out out, int n, Begin begin, End end, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, begin, end, cub::Max(), std::numeric_limits<detail::Value<In>>::lowest());
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void *t, size_t &b, In in, Out out, int n, Begin begin, End end, HIPPORT_CUB_TAIL) {
    return Reduce(t, b, in, out, n, begin, end, cub::Min(), std::numeric_limits<detail::Value<In>>::max());
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T, class N>
  static cudaError_t ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, T first, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    detail::scan(in, out, op, first, (size_t)n, false, true);
    return cudaSuccess;
  }
  template <class In, class Out, class Op, class N>
  static cudaError_t InclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    detail::scan(in, out, op, detail::Value<In>{}, (size_t)n, true, false);
    return cudaSuccess;
  }
  template <class In, class Out, class N> static cudaError_t ExclusiveSum(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) {
    return ExclusiveScan(t, b, in, out, cub::Sum(), detail::Value<In>{}, n);
  }
  template <class In, class Out, class N> static cudaError_t InclusiveSum(void *t, size_t &b, In in, Out out, N n, HIPPORT_CUB_TAIL) {
    return InclusiveScan(t, b, in, out, cub::Sum(), n);
  }
};

struct DeviceRadixSort {
  template <class K, class V>
  static void sort(const K *keys_in, K *keys, const V *values_in, V *values, size_t n, int begin, int end, bool down) {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), (size_t)0);
    std::vector<unsigned long long> bits(n);
    for (size_t i = 0; i < n; i++) bits[i] = detail::sort_bits(keys_in[i], begin, end);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return down ? bits[b] < bits[a] : bits[a] < bits[b]; });
    const std::vector<K> k(keys_in, keys_in + n);
    for (size_t i = 0; i < n; i++) keys[i] = k[order[i]];
    ::hipport_wave::wrote(keys, n);
    if (!values) return;
    const std::vector<V> v(values_in, values_in + n);
    for (size_t i = 0; i < n; i++) values[i] = v[order[i]];
    ::hipport_wave::wrote(values, n);
  }
#define HIPPORT_CUB_SORTS(suffix, down)                                                                                                     \
  template <class K, class N>                                                                                                               \
  static cudaError_t SortKeys##suffix(void *temporary, size_t &bytes, const K *in, K *out, N n, int begin = 0, int end = sizeof(K) * 8, HIPPORT_CUB_TAIL) { \
    HIPPORT_CUB_ASKED                                                                                                                       \
    sort<K, char>(in, out, nullptr, nullptr, (size_t)n, begin, end, down);                                                                  \
    return cudaSuccess;                                                                                                                     \
  }                                                                                                                                         \
  template <class K, class N>                                                                                                               \
  static cudaError_t SortKeys##suffix(void *temporary, size_t &bytes, DoubleBuffer<K> &k, N n, int begin = 0, int end = sizeof(K) * 8, HIPPORT_CUB_TAIL) {  \
    HIPPORT_CUB_ASKED                                                                                                                       \
    sort<K, char>(k.Current(), k.Alternate(), nullptr, nullptr, (size_t)n, begin, end, down);                                               \
    k.selector ^= 1;                                                                                                                        \
    return cudaSuccess;                                                                                                                     \
  }                                                                                                                                         \
  template <class K, class V, class N>                                                                                                      \
  static cudaError_t SortPairs##suffix(void *temporary, size_t &bytes, const K *in, K *out, const V *vin, V *vout, N n, int begin = 0,      \
                                       int end = sizeof(K) * 8, HIPPORT_CUB_TAIL) {                                                         \
    HIPPORT_CUB_ASKED                                                                                                                       \
    sort(in, out, vin, vout, (size_t)n, begin, end, down);                                                                                  \
    return cudaSuccess;                                                                                                                     \
  }                                                                                                                                         \
  template <class K, class V, class N>                                                                                                      \
  static cudaError_t SortPairs##suffix(void *temporary, size_t &bytes, DoubleBuffer<K> &k, DoubleBuffer<V> &v, N n, int begin = 0,          \
                                       int end = sizeof(K) * 8, HIPPORT_CUB_TAIL) {                                                         \
    HIPPORT_CUB_ASKED                                                                                                                       \
    sort(k.Current(), k.Alternate(), v.Current(), v.Alternate(), (size_t)n, begin, end, down);                                              \
    k.selector ^= 1, v.selector ^= 1;                                                                                                       \
    return cudaSuccess;                                                                                                                     \
  }
  HIPPORT_CUB_SORTS(, false)
  HIPPORT_CUB_SORTS(Descending, true)
#undef HIPPORT_CUB_SORTS
};

struct DeviceSelect {
  template <class In, class Out, class C, class N, class Keep>
  static cudaError_t If(void *temporary, size_t &bytes, In in, Out out, C count, N n, Keep keep, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    size_t kept = 0;
    for (size_t i = 0; i < (size_t)n; i++)
      if (keep(in[i])) out[kept++] = in[i];
    *count = (detail::Value<C>)kept;
    ::hipport_wave::wrote(out, kept), ::hipport_wave::wrote(count, 1);
    return cudaSuccess;
  }
  template <class In, class F, class Out, class C, class N>
  static cudaError_t Flagged(void *temporary, size_t &bytes, In in, F flags, Out out, C count, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    size_t kept = 0;
    for (size_t i = 0; i < (size_t)n; i++)
      if (flags[i]) out[kept++] = in[i];
    *count = (detail::Value<C>)kept;
    ::hipport_wave::wrote(out, kept), ::hipport_wave::wrote(count, 1);
    return cudaSuccess;
  }
  template <class In, class Out, class C, class N>
  static cudaError_t Unique(void *temporary, size_t &bytes, In in, Out out, C count, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    size_t kept = 0;
    for (size_t i = 0; i < (size_t)n; i++)
      if (i == 0 || !(in[i] == in[i - 1])) out[kept++] = in[i];
    *count = (detail::Value<C>)kept;
    ::hipport_wave::wrote(out, kept), ::hipport_wave::wrote(count, 1);
    return cudaSuccess;
  }
};

struct DeviceRunLengthEncode {
  template <class In, class U, class L, class C, class N>
  static cudaError_t Encode(void *temporary, size_t &bytes, In in, U unique, L lengths, C count, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    size_t runs = 0;
    for (size_t i = 0; i < (size_t)n; i++) {
      if (i && in[i] == in[i - 1]) lengths[runs - 1]++;
      else unique[runs] = in[i], lengths[runs] = 1, runs++;
    }
    *count = (detail::Value<C>)runs;
    ::hipport_wave::wrote(unique, runs), ::hipport_wave::wrote(lengths, runs), ::hipport_wave::wrote(count, 1);
    return cudaSuccess;
  }
};

struct DeviceHistogram {
  template <class In, class C, class L, class N>
  static cudaError_t HistogramEven(void *temporary, size_t &bytes, In in, C *bins, int levels, L low, L high, N n, HIPPORT_CUB_TAIL) {
    HIPPORT_CUB_ASKED
    std::fill(bins, bins + levels - 1, C{});
    const L width = (L)((high - low) / (L)(levels - 1));
    for (size_t i = 0; i < (size_t)n; i++)
      if ((L)in[i] >= low && (L)in[i] < high) bins[(int)(((L)in[i] - low) / width)]++;
    ::hipport_wave::wrote(bins, levels - 1);
    return cudaSuccess;
  }
};

}  // namespace cub
#endif
