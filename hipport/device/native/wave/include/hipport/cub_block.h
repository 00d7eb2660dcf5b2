// BlockReduce, BlockScan, BlockLoad, BlockStore, BlockExchange, BlockRadixSort and their like.
#ifndef HIPPORT_WAVE_CUB_BLOCK_H
#define HIPPORT_WAVE_CUB_BLOCK_H

#include "cub_warp.h"

#include <algorithm>

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {
template <class T, int Count>
struct Raw {  // storage whose elements need no constructor
  alignas(T) unsigned char bytes[sizeof(T) * Count];
  HIPPORT_INLINE T &operator[](int i) { return ((T *)bytes)[i]; }
};
HIPPORT_INLINE void together(::hipport_wave::Site s) { ::hipport_wave::barrier(::hipport_wave::BARRIER, 0, s); }
}  // namespace detail

#define HIPPORT_CUB_STORAGE(Name)                      \
  HIPPORT_INLINE Name() : storage(own()) {}            \
  HIPPORT_INLINE explicit Name(TempStorage &s) : storage(s) {} \
  HIPPORT_INLINE static TempStorage &own() {           \
    static thread_local TempStorage mine;              \
    return mine;                                       \
  }                                                    \
  TempStorage &storage;

template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr int THREADS = X * Y * Z, WARPS = (THREADS + HIPPORT_WAVE_SIZE - 1) / HIPPORT_WAVE_SIZE;

 public:
  struct TempStorage { detail::Raw<T, WARPS> warps; };
  HIPPORT_CUB_STORAGE(BlockReduce)
  template <class Op> HIPPORT_INLINE T Reduce(T v, Op op, int valid, HIPPORT_SITE) {
    const detail::LogicalWarp<HIPPORT_WAVE_SIZE> w;
    const int t = (int)detail::thread_number(), warp = t / HIPPORT_WAVE_SIZE, base = warp * HIPPORT_WAVE_SIZE;
    const int in_warp = valid - base < HIPPORT_WAVE_SIZE ? valid - base : HIPPORT_WAVE_SIZE;
    v = w.reduced(v, op, in_warp, HIPPORT_HERE);
    if (w.lane == 0) storage.warps[warp] = v;
    detail::together(HIPPORT_HERE);
    if (t == 0)
      for (int i = 1; i < WARPS && i * HIPPORT_WAVE_SIZE < valid; i++) v = op(v, storage.warps[i]);
    return v;
  }
  template <class Op> HIPPORT_INLINE T Reduce(T v, Op op, HIPPORT_SITE) { return Reduce(v, op, THREADS, hipport_file, hipport_line); }
  template <int N, class Op> HIPPORT_INLINE T Reduce(T (&v)[N], Op op, HIPPORT_SITE) {
    T sum = v[0];
    for (int i = 1; i < N; i++) sum = op(sum, v[i]);
    return Reduce(sum, op, THREADS, hipport_file, hipport_line);
  }
  HIPPORT_INLINE T Sum(T v, HIPPORT_SITE) { return Reduce(v, cub::Sum(), THREADS, hipport_file, hipport_line); }
  HIPPORT_INLINE T Sum(T v, int valid, HIPPORT_SITE) { return Reduce(v, cub::Sum(), valid, hipport_file, hipport_line); }
  template <int N> HIPPORT_INLINE T Sum(T (&v)[N], HIPPORT_SITE) { return Reduce(v, cub::Sum(), hipport_file, hipport_line); }
};

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr int THREADS = X * Y * Z, WARPS = (THREADS + HIPPORT_WAVE_SIZE - 1) / HIPPORT_WAVE_SIZE;

 public:
  struct TempStorage { detail::Raw<T, WARPS + 1> warps; };
  HIPPORT_CUB_STORAGE(BlockScan)

 private:
  // What lies before this thread's items (nothing for thread 0), and the sum of all.
  template <class Op> HIPPORT_INLINE bool before(T v, Op op, T &prefix, T &all, ::hipport_wave::Site s) {
    const detail::LogicalWarp<HIPPORT_WAVE_SIZE> w;
    const int t = (int)detail::thread_number(), warp = t / HIPPORT_WAVE_SIZE;
    const int last = (int)detail::lanes_there(THREADS) - 1;
    const T up_to = w.scanned(v, op, s);
    const T below = w.from(up_to, w.lane ? w.lane - 1 : 0, s);
    if ((int)w.lane == last) storage.warps[warp] = up_to;
    detail::together(s);
    bool some = false;
    for (int i = 0; i < warp; i++) prefix = some ? op(prefix, storage.warps[i]) : storage.warps[i], some = true;
    all = some ? prefix : storage.warps[0];
    for (int i = some ? warp : 1; i < WARPS; i++) all = op(all, storage.warps[i]);
    if (w.lane) prefix = some ? op(prefix, below) : below, some = true;
    return some;
  }

 public:
  template <int N, class Op> HIPPORT_INLINE void ExclusiveScan(T (&in)[N], T (&out)[N], T first, Op op, T &all, HIPPORT_SITE) {
    T sum = in[0], prefix{};
    for (int i = 1; i < N; i++) sum = op(sum, in[i]);
    const bool some = before(sum, op, prefix, all, HIPPORT_HERE);
    T at = some ? op(first, prefix) : first;
    for (int i = 0; i < N; i++) {
      const T next = op(at, in[i]);
      out[i] = at;
      at = next;
    }
  }
  template <int N, class Op> HIPPORT_INLINE void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &all, HIPPORT_SITE) {
    T sum = in[0], prefix{};
    for (int i = 1; i < N; i++) sum = op(sum, in[i]);
    const bool some = before(sum, op, prefix, all, HIPPORT_HERE);
    T at = some ? op(prefix, in[0]) : in[0];
    for (int i = 0; i < N; i++) {
      if (i) at = op(at, in[i]);
      out[i] = at;
    }
  }
  template <class Op, class Prefix> HIPPORT_INLINE void with_prefix(T v, T &out, Op op, Prefix &prefix_op, bool inclusive, ::hipport_wave::Site s) {
    T prefix{}, all{};
    const bool some = before(v, op, prefix, all, s);
    T first = prefix_op(all);
    if (detail::thread_number() == 0) storage.warps[WARPS] = first;
    detail::together(s);
    first = storage.warps[WARPS];
    const T at = some ? op(first, prefix) : first;
    out = inclusive ? op(at, v) : at;
  }
#define HIPPORT_CUB_SITE hipport_file, hipport_line
  template <class Op> HIPPORT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, T &all, HIPPORT_SITE) {
    T in[1] = {v}, o[1];
    ExclusiveScan(in, o, first, op, all, HIPPORT_CUB_SITE);
    out = o[0];
  }
  template <class Op> HIPPORT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, HIPPORT_SITE) { T all; ExclusiveScan(v, out, first, op, all, HIPPORT_CUB_SITE); }
  template <int N, class Op> HIPPORT_INLINE void ExclusiveScan(T (&in)[N], T (&out)[N], T first, Op op, HIPPORT_SITE) { T all; ExclusiveScan(in, out, first, op, all, HIPPORT_CUB_SITE); }
  template <class Op> HIPPORT_INLINE void InclusiveScan(T v, T &out, Op op, T &all, HIPPORT_SITE) {
    T in[1] = {v}, o[1];
    InclusiveScan(in, o, op, all, HIPPORT_CUB_SITE);
    out = o[0];
  }
  template <class Op> HIPPORT_INLINE void InclusiveScan(T v, T &out, Op op, HIPPORT_SITE) { T all; InclusiveScan(v, out, op, all, HIPPORT_CUB_SITE); }
  template <int N, class Op> HIPPORT_INLINE void InclusiveScan(T (&in)[N], T (&out)[N], Op op, HIPPORT_SITE) { T all; InclusiveScan(in, out, op, all, HIPPORT_CUB_SITE); }
  HIPPORT_INLINE void ExclusiveSum(T v, T &out, HIPPORT_SITE) { T all; ExclusiveScan(v, out, T{}, cub::Sum(), all, HIPPORT_CUB_SITE); }
  HIPPORT_INLINE void ExclusiveSum(T v, T &out, T &all, HIPPORT_SITE) { ExclusiveScan(v, out, T{}, cub::Sum(), all, HIPPORT_CUB_SITE); }
  template <class Prefix, class = decltype(std::declval<Prefix &>()(std::declval<T>()))>
  HIPPORT_INLINE void ExclusiveSum(T v, T &out, Prefix &p, HIPPORT_SITE) { with_prefix(v, out, cub::Sum(), p, false, HIPPORT_HERE); }
  template <class Prefix, class = decltype(std::declval<Prefix &>()(std::declval<T>()))>
  HIPPORT_INLINE void InclusiveSum(T v, T &out, Prefix &p, HIPPORT_SITE) { with_prefix(v, out, cub::Sum(), p, true, HIPPORT_HERE); }
  template <int N> HIPPORT_INLINE void ExclusiveSum(T (&in)[N], T (&out)[N], HIPPORT_SITE) { T all; ExclusiveScan(in, out, T{}, cub::Sum(), all, HIPPORT_CUB_SITE); }
  template <int N> HIPPORT_INLINE void ExclusiveSum(T (&in)[N], T (&out)[N], T &all, HIPPORT_SITE) { ExclusiveScan(in, out, T{}, cub::Sum(), all, HIPPORT_CUB_SITE); }
  HIPPORT_INLINE void InclusiveSum(T v, T &out, HIPPORT_SITE) { T all; InclusiveScan(v, out, cub::Sum(), all, HIPPORT_CUB_SITE); }
  HIPPORT_INLINE void InclusiveSum(T v, T &out, T &all, HIPPORT_SITE) { InclusiveScan(v, out, cub::Sum(), all, HIPPORT_CUB_SITE); }
  template <int N> HIPPORT_INLINE void InclusiveSum(T (&in)[N], T (&out)[N], HIPPORT_SITE) { T all; InclusiveScan(in, out, cub::Sum(), all, HIPPORT_CUB_SITE); }
  template <int N> HIPPORT_INLINE void InclusiveSum(T (&in)[N], T (&out)[N], T &all, HIPPORT_SITE) { InclusiveScan(in, out, cub::Sum(), all, HIPPORT_CUB_SITE); }
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
  HIPPORT_INLINE static int place(int i) {
    const int t = (int)detail::thread_number();
    return A == BLOCK_LOAD_STRIPED ? i * X * Y * Z + t : t * N + i;
  }

 public:
  struct TempStorage {};
  HIPPORT_INLINE BlockLoad() {}
  HIPPORT_INLINE explicit BlockLoad(TempStorage &) {}
  template <class In> HIPPORT_INLINE void Load(In in, T (&items)[N]) {
    for (int i = 0; i < N; i++) items[i] = in[place(i)];
  }
  template <class In> HIPPORT_INLINE void Load(In in, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
      if (place(i) < valid) items[i] = in[place(i)];
  }
  template <class In, class D> HIPPORT_INLINE void Load(In in, T (&items)[N], int valid, D otherwise) {
    for (int i = 0; i < N; i++) items[i] = place(i) < valid ? (T)in[place(i)] : (T)otherwise;
  }
};
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
  HIPPORT_INLINE static int place(int i) {
    const int t = (int)detail::thread_number();
    return A == BLOCK_STORE_STRIPED ? i * X * Y * Z + t : t * N + i;
  }

 public:
  struct TempStorage {};
  HIPPORT_INLINE BlockStore() {}
  HIPPORT_INLINE explicit BlockStore(TempStorage &) {}
  template <class Out> HIPPORT_INLINE void Store(Out out, T (&items)[N]) {
    for (int i = 0; i < N; i++) out[place(i)] = items[i];
  }
  template <class Out> HIPPORT_INLINE void Store(Out out, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
      if (place(i) < valid) out[place(i)] = items[i];
  }
};
template <class T, int N> HIPPORT_INLINE void LoadDirectBlocked(int t, const T *in, T (&items)[N]) { for (int i = 0; i < N; i++) items[i] = in[t * N + i]; }
template <class T, int N> HIPPORT_INLINE void StoreDirectBlocked(int t, T *out, T (&items)[N]) { for (int i = 0; i < N; i++) out[t * N + i] = items[i]; }
template <int X, class T, int N> HIPPORT_INLINE void LoadDirectStriped(int t, const T *in, T (&items)[N]) { for (int i = 0; i < N; i++) items[i] = in[i * X + t]; }
template <int X, class T, int N> HIPPORT_INLINE void StoreDirectStriped(int t, T *out, T (&items)[N]) { for (int i = 0; i < N; i++) out[i * X + t] = items[i]; }

template <class T, int X, int N, bool Sliced = false, int Y = 1, int Z = 1, int Arch = 0>
class BlockExchange {
  static constexpr int THREADS = X * Y * Z;
  template <class Put, class Get> HIPPORT_INLINE void exchange(T (&in)[N], T (&out)[N], Put put, Get get, ::hipport_wave::Site s) {
    for (int i = 0; i < N; i++) storage.all[put(i)] = in[i];
    detail::together(s);
    for (int i = 0; i < N; i++) out[i] = storage.all[get(i)];
  }

 public:
  struct TempStorage { detail::Raw<T, THREADS * N> all; };
  HIPPORT_CUB_STORAGE(BlockExchange)
  HIPPORT_INLINE void BlockedToStriped(T (&in)[N], T (&out)[N], HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    exchange(in, out, [=](int i) { return t * N + i; }, [=](int i) { return i * THREADS + t; }, HIPPORT_HERE);
  }
  HIPPORT_INLINE void StripedToBlocked(T (&in)[N], T (&out)[N], HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    exchange(in, out, [=](int i) { return i * THREADS + t; }, [=](int i) { return t * N + i; }, HIPPORT_HERE);
  }
  HIPPORT_INLINE void BlockedToStriped(T (&v)[N], HIPPORT_SITE) { BlockedToStriped(v, v, HIPPORT_CUB_SITE); }
  HIPPORT_INLINE void StripedToBlocked(T (&v)[N], HIPPORT_SITE) { StripedToBlocked(v, v, HIPPORT_CUB_SITE); }
  template <class R> HIPPORT_INLINE void ScatterToBlocked(T (&in)[N], T (&out)[N], R (&ranks)[N], HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    exchange(in, out, [&](int i) { return (int)ranks[i]; }, [=](int i) { return t * N + i; }, HIPPORT_HERE);
  }
  template <class R> HIPPORT_INLINE void ScatterToStriped(T (&in)[N], T (&out)[N], R (&ranks)[N], HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    exchange(in, out, [&](int i) { return (int)ranks[i]; }, [=](int i) { return i * THREADS + t; }, HIPPORT_HERE);
  }
};

namespace detail {
template <class K, class V, int Count>
struct SortStorage {
  Raw<K, Count> keys;
  Raw<V, Count> values;
};
// One thread sorts, stably, what all have put down.
template <class K, class V, int Count, class Less>
HIPPORT_INLINE void sort_all(SortStorage<K, V, Count> &s, Less less) {
  for (int i = 1; i < Count; i++) {
    const K k = s.keys[i];
    const V v = s.values[i];
    int low = 0, high = i;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (less(k, s.keys[middle])) high = middle;
      else low = middle + 1;
    }
    for (int j = i; j > low; j--) s.keys[j] = s.keys[j - 1], s.values[j] = s.values[j - 1];
    s.keys[low] = k, s.values[low] = v;
  }
}
template <class K>
HIPPORT_INLINE unsigned long long sort_bits(K key, int begin, int end) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &key, sizeof key);
  const unsigned long long top = 1ull << (8 * sizeof(K) - 1);
  if (std::is_floating_point<K>::value) bits = bits & top ? ~bits & (top | (top - 1)) : bits | top;
  else if (std::is_signed<K>::value) bits ^= top;
  return bits >> begin & below((unsigned)(end - begin));
}
}  // namespace detail

template <class K, int X, int N, class V = NullType, int... More>
class BlockRadixSort {
  static constexpr int THREADS = X, COUNT = X * N;

  HIPPORT_INLINE void sort(K (&keys)[N], V *values, int begin, int end, bool down, bool striped, ::hipport_wave::Site s) {
    const int t = (int)detail::thread_number();
    for (int i = 0; i < N; i++) {
      storage.keys[t * N + i] = keys[i];
      if (values) storage.values[t * N + i] = values[i];
      else storage.values[t * N + i] = V{};
    }
    detail::together(s);
    if (t == 0)
      detail::sort_all(storage, [=](const K &a, const K &b) {
        const unsigned long long x = detail::sort_bits(a, begin, end), y = detail::sort_bits(b, begin, end);
        return down ? y < x : x < y;
      });
    detail::together(s);
    for (int i = 0; i < N; i++) {
      const int at = striped ? i * THREADS + t : t * N + i;
      keys[i] = storage.keys[at];
      if (values) values[i] = storage.values[at];
    }
  }

 public:
  typedef detail::SortStorage<K, V, COUNT> TempStorage;
  HIPPORT_CUB_STORAGE(BlockRadixSort)
#define HIPPORT_CUB_SORT(name, down, striped)                                                                                        \
  HIPPORT_INLINE void name(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8, HIPPORT_SITE) { sort(keys, nullptr, begin, end, down, striped, HIPPORT_HERE); } \
  HIPPORT_INLINE void name(K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8, HIPPORT_SITE) {                     \
    sort(keys, values, begin, end, down, striped, HIPPORT_HERE);                                                                     \
  }
  HIPPORT_CUB_SORT(Sort, false, false)
  HIPPORT_CUB_SORT(SortDescending, true, false)
  HIPPORT_CUB_SORT(SortBlockedToStriped, false, true)
  HIPPORT_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef HIPPORT_CUB_SORT
};

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort {
  static constexpr int COUNT = X * Y * Z * N;
  template <class Less> HIPPORT_INLINE void sort(K (&keys)[N], V *values, Less less, ::hipport_wave::Site s) {
    const int t = (int)detail::thread_number();
    for (int i = 0; i < N; i++) storage.keys[t * N + i] = keys[i], storage.values[t * N + i] = values ? values[i] : V{};
    detail::together(s);
    if (t == 0) detail::sort_all(storage, less);
    detail::together(s);
    for (int i = 0; i < N; i++) {
      keys[i] = storage.keys[t * N + i];
      if (values) values[i] = storage.values[t * N + i];
    }
  }

 public:
  typedef detail::SortStorage<K, V, COUNT> TempStorage;
  HIPPORT_CUB_STORAGE(BlockMergeSort)
  template <class Less> HIPPORT_INLINE void Sort(K (&keys)[N], Less less, HIPPORT_SITE) { sort(keys, nullptr, less, HIPPORT_HERE); }
  template <class Less> HIPPORT_INLINE void Sort(K (&keys)[N], V (&values)[N], Less less, HIPPORT_SITE) { sort(keys, values, less, HIPPORT_HERE); }
  template <class Less> HIPPORT_INLINE void StableSort(K (&keys)[N], Less less, HIPPORT_SITE) { sort(keys, nullptr, less, HIPPORT_HERE); }
};

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
class BlockHistogram {
 public:
  struct TempStorage {};
  HIPPORT_INLINE BlockHistogram() {}
  HIPPORT_INLINE explicit BlockHistogram(TempStorage &) {}
  template <class C> HIPPORT_INLINE void InitHistogram(C (&bins)[Bins]) {
    for (int i = (int)detail::thread_number(); i < Bins; i += X * Y * Z) bins[i] = 0;
  }
  template <class C> HIPPORT_INLINE void Composite(T (&items)[N], C (&bins)[Bins], HIPPORT_SITE) {
    detail::together(HIPPORT_HERE);
    for (int i = 0; i < N; i++) atomicAdd(&bins[items[i]], (C)1);
  }
  template <class C> HIPPORT_INLINE void Histogram(T (&items)[N], C (&bins)[Bins], HIPPORT_SITE) {
    InitHistogram(bins);
    Composite(items, bins, HIPPORT_CUB_SITE);
  }
};

template <class T, int X, int Y = 1, int Z = 1>
class BlockShuffle {
 public:
  struct TempStorage { detail::Raw<T, X * Y * Z> all; };
  HIPPORT_CUB_STORAGE(BlockShuffle)
  HIPPORT_INLINE void Offset(T in, T &out, int distance = 1, HIPPORT_SITE) {
    const int t = (int)detail::thread_number(), from = t + distance;
    storage.all[t] = in;
    detail::together(HIPPORT_HERE);
    if (from >= 0 && from < X * Y * Z) out = storage.all[from];
  }
  HIPPORT_INLINE void Rotate(T in, T &out, unsigned distance = 1, HIPPORT_SITE) {
    const unsigned t = detail::thread_number();
    storage.all[t] = in;
    detail::together(HIPPORT_HERE);
    out = storage.all[(t + distance) % (X * Y * Z)];
  }
};

template <class T, int X, int Y = 1, int Z = 1>
class BlockDiscontinuity {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage { detail::Raw<T, THREADS> all; };
  HIPPORT_CUB_STORAGE(BlockDiscontinuity)
  template <int N, class F, class Op> HIPPORT_INLINE void FlagHeads(F (&flags)[N], T (&in)[N], Op op, HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    storage.all[t] = in[N - 1];
    detail::together(HIPPORT_HERE);
    flags[0] = t == 0 ? 1 : op(storage.all[t - 1], in[0]);
    for (int i = 1; i < N; i++) flags[i] = op(in[i - 1], in[i]);
  }
  template <int N, class F, class Op> HIPPORT_INLINE void FlagTails(F (&flags)[N], T (&in)[N], Op op, HIPPORT_SITE) {
    const int t = (int)detail::thread_number();
    storage.all[t] = in[0];
    detail::together(HIPPORT_HERE);
    for (int i = 0; i + 1 < N; i++) flags[i] = op(in[i], in[i + 1]);
    flags[N - 1] = t == THREADS - 1 ? 1 : op(in[N - 1], storage.all[t + 1]);
  }
};

}  // namespace cub
#endif
