// What the parts of cub share: operators, pairs, iterators.
#ifndef HIPPORT_WAVE_CUB_COMMON_H
#define HIPPORT_WAVE_CUB_COMMON_H

#include "device.h"
#include "host.h"

#include <cstddef>
#include <iterator>
#include <limits>

namespace cub {

struct Sum { template <class A, class B> HIPPORT_INLINE auto operator()(const A &a, const B &b) const { return a + b; } };
struct Difference { template <class A, class B> HIPPORT_INLINE auto operator()(const A &a, const B &b) const { return a - b; } };
struct Max { template <class A, class B> HIPPORT_INLINE A operator()(const A &a, const B &b) const { return a < b ? (A)b : a; } };
struct Min { template <class A, class B> HIPPORT_INLINE A operator()(const A &a, const B &b) const { return b < a ? (A)b : a; } };
struct Equality { template <class A, class B> HIPPORT_INLINE bool operator()(const A &a, const B &b) const { return a == b; } };
struct Inequality { template <class A, class B> HIPPORT_INLINE bool operator()(const A &a, const B &b) const { return !(a == b); } };

template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  HIPPORT_INLINE KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
  HIPPORT_INLINE bool operator!=(const KeyValuePair &o) const { return key != o.key || value != o.value; }
};
struct ArgMax {
  template <class K, class V> HIPPORT_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V> HIPPORT_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct NullType {};

template <class T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T *a, T *b) : d_buffers{a, b} {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

template <class Self, class T>
struct IteratorBase {
  typedef T value_type;
  typedef T reference;
  typedef T *pointer;
  typedef std::ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  HIPPORT_INLINE Self &self() { return *static_cast<Self *>(this); }
  HIPPORT_INLINE const Self &self() const { return *static_cast<const Self *>(this); }
  HIPPORT_INLINE T operator*() const { return self().at(0); }
  template <class N> HIPPORT_INLINE T operator[](N n) const { return self().at((std::ptrdiff_t)n); }
  template <class N> HIPPORT_INLINE Self operator+(N n) const { Self s = self(); s.move((std::ptrdiff_t)n); return s; }
  template <class N> HIPPORT_INLINE Self &operator+=(N n) { self().move((std::ptrdiff_t)n); return self(); }
  HIPPORT_INLINE Self &operator++() { self().move(1); return self(); }
  HIPPORT_INLINE Self operator++(int) { Self s = self(); self().move(1); return s; }
};
template <class T, class Offset = std::ptrdiff_t>
struct CountingInputIterator : IteratorBase<CountingInputIterator<T, Offset>, T> {
  T value;
  HIPPORT_INLINE explicit CountingInputIterator(T v) : value(v) {}
  HIPPORT_INLINE T at(std::ptrdiff_t n) const { return (T)(value + n); }
  HIPPORT_INLINE void move(std::ptrdiff_t n) { value = (T)(value + n); }
};
template <class T, class Offset = std::ptrdiff_t>
struct ConstantInputIterator : IteratorBase<ConstantInputIterator<T, Offset>, T> {
  T value;
  HIPPORT_INLINE explicit ConstantInputIterator(T v) : value(v) {}
  HIPPORT_INLINE T at(std::ptrdiff_t) const { return value; }
  HIPPORT_INLINE void move(std::ptrdiff_t) {}
};
template <class T, class Op, class In, class Offset = std::ptrdiff_t>
struct TransformInputIterator : IteratorBase<TransformInputIterator<T, Op, In, Offset>, T> {
  In in;
  Op op;
  HIPPORT_INLINE TransformInputIterator(In i, Op o) : in(i), op(o) {}
  HIPPORT_INLINE T at(std::ptrdiff_t n) const { return (T)const_cast<Op &>(op)(in[n]); }
  HIPPORT_INLINE void move(std::ptrdiff_t n) { in = in + n; }
};
template <class In, class Offset = std::ptrdiff_t, class T = typename std::iterator_traits<In>::value_type>
struct ArgIndexInputIterator : IteratorBase<ArgIndexInputIterator<In, Offset, T>, KeyValuePair<Offset, T>> {
  In in;
  Offset first;
  HIPPORT_INLINE explicit ArgIndexInputIterator(In i, Offset o = 0) : in(i), first(o) {}
  HIPPORT_INLINE KeyValuePair<Offset, T> at(std::ptrdiff_t n) const { return {(Offset)(first + n), in[first + n]}; }
  HIPPORT_INLINE void move(std::ptrdiff_t n) { first = (Offset)(first + n); }
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class T> HIPPORT_INLINE T ThreadLoad(T *at) { return *at; }
template <CacheStoreModifier M, class T> HIPPORT_INLINE void ThreadStore(T *at, T v) { *at = v; }
template <CacheLoadModifier M, class T, class Offset = std::ptrdiff_t> using CacheModifiedInputIterator = const T *;

HIPPORT_INLINE unsigned LaneId() { return ::hipport_wave::lane_number(); }
HIPPORT_INLINE unsigned WarpId() { return ::hipport_wave::warp_number(); }
template <class T> HIPPORT_INLINE T ShuffleIndex(T v, int lane, int last, unsigned mask, HIPPORT_SITE) {
  return ::hipport_wave::exchange(::hipport_wave::SHUFFLE, mask, v, lane, HIPPORT_WAVE_SIZE, HIPPORT_HERE);
}
template <class A, class B> HIPPORT_INLINE auto DivideAndRoundUp(A n, B d) { return (n + d - 1) / d; }

namespace detail {
HIPPORT_INLINE unsigned thread_number() {
  const uint3 t = threadIdx;
  const dim3 b = blockDim;
  return (t.z * b.y + t.y) * b.x + t.x;
}
HIPPORT_INLINE unsigned long long below(unsigned n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }
// Lanes of the wave that this thread is in that exist: the last wave of a block may not be full.
HIPPORT_INLINE unsigned lanes_there(unsigned threads) {
  const unsigned first = thread_number() / HIPPORT_WAVE_SIZE * HIPPORT_WAVE_SIZE;
  return threads - first < HIPPORT_WAVE_SIZE ? threads - first : HIPPORT_WAVE_SIZE;
}
}  // namespace detail

#define CUB_LOG_WARP_THREADS(unused) (HIPPORT_WAVE_SIZE == 64 ? 6 : 5)
#define CUB_PTX_WARP_THREADS HIPPORT_WAVE_SIZE
#define CUB_WARP_THREADS(unused) HIPPORT_WAVE_SIZE
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) < (b)) ? (b) : (a))
#define CUB_ROUND_UP_NEAREST(a, b) ((((a) + (b) - 1) / (b)) * (b))
#define CUB_QUOTIENT_CEILING(a, b) (((a) + (b) - 1) / (b))
#define CubDebug(e) (e)
#define CubDebugExit(e) do { if ((e) != cudaSuccess) exit(1); } while (0)

}  // namespace cub
#endif
