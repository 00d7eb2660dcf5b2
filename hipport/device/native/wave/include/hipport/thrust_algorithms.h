// thrust's algorithms, by the C++ library's. Outputs in device memory count as written.
#ifndef HIPPORT_WAVE_THRUST_ALGORITHMS_H
#define HIPPORT_WAVE_THRUST_ALGORITHMS_H

#include "thrust_core.h"

namespace thrust {

namespace details {
template <class It> using Value = typename std::iterator_traits<It>::value_type;
template <class It> It noted(It first, It last) {
  ::hipport_wave::wrote(first, (size_t)(last - first));
  return last;
}
}  // namespace details

// The same algorithm with an execution policy first.
#define HIPPORT_THRUST(name)                                          \
  template <class... A>                                               \
  decltype(auto) name(const policy &, A &&...a) { return thrust::name(std::forward<A>(a)...); }

template <class I, class O> O copy(I a, I b, O o) { return details::noted(o, std::copy(a, b, o)); }
template <class I, class N, class O> O copy_n(I a, N n, O o) { return details::noted(o, std::copy(a, a + n, o)); }
template <class I, class O, class P> O copy_if(I a, I b, O o, P p) { return details::noted(o, std::copy_if(a, b, o, p)); }
template <class I, class S, class O, class P> O copy_if(I a, I b, S s, O o, P p) {
  O to = o;
  for (; a != b; ++a, ++s)
    if (p(*s)) *to++ = *a;
  return details::noted(o, to);
}
template <class I, class T> void fill(I a, I b, const T &v) { std::fill(a, b, v); details::noted(a, b); }
template <class I, class N, class T> I fill_n(I a, N n, const T &v) { std::fill(a, a + n, v); return details::noted(a, a + n); }
template <class I> void sequence(I a, I b) { details::Value<I> v{}; for (I i = a; i != b; ++i) *i = v++; details::noted(a, b); }
template <class I, class T> void sequence(I a, I b, T v) { for (I i = a; i != b; ++i) *i = v++; details::noted(a, b); }
template <class I, class T, class S> void sequence(I a, I b, T v, S s) { for (I i = a; i != b; ++i, v = v + s) *i = v; details::noted(a, b); }
template <class I, class F> void generate(I a, I b, F f) { std::generate(a, b, f); details::noted(a, b); }
template <class I, class F> void tabulate(I a, I b, F f) { for (I i = a; i != b; ++i) *i = f(i - a); details::noted(a, b); }
template <class I, class O, class F> O transform(I a, I b, O o, F f) {
  O to = o;
  for (; a != b; ++a, ++to) *to = f(*a);
  return details::noted(o, to);
}
template <class I, class J, class O, class F> O transform(I a, I b, J c, O o, F f) {
  O to = o;
  for (; a != b; ++a, ++c, ++to) *to = f(*a, *c);
  return details::noted(o, to);
}
template <class I, class O, class F, class P> O transform_if(I a, I b, O o, F f, P p) {
  O to = o;
  for (; a != b; ++a, ++to)
    if (p(*a)) *to = f(*a);
  return details::noted(o, to);
}
template <class I, class F> I for_each(I a, I b, F f) { for (; a != b; ++a) { auto &&v = *a; f(v); } return b; }
template <class I, class N, class F> I for_each_n(I a, N n, F f) { return thrust::for_each(a, a + n, f); }
template <class I> details::Value<I> reduce(I a, I b) { details::Value<I> s{}; for (; a != b; ++a) s = s + *a; return s; }
template <class I, class T> T reduce(I a, I b, T s) { for (; a != b; ++a) s = s + *a; return s; }
template <class I, class T, class F> T reduce(I a, I b, T s, F f) { for (; a != b; ++a) s = f(s, *a); return s; }
template <class I, class U, class T, class F> T transform_reduce(I a, I b, U u, T s, F f) { for (; a != b; ++a) s = f(s, u(*a)); return s; }
template <class I, class J, class T> T inner_product(I a, I b, J c, T s) { for (; a != b; ++a, ++c) s = s + *a * *c; return s; }
template <class I, class J, class T, class F, class G> T inner_product(I a, I b, J c, T s, F f, G g) { for (; a != b; ++a, ++c) s = f(s, g(*a, *c)); return s; }
template <class K, class V, class KO, class VO, class Eq, class F>
pair<KO, VO> reduce_by_key(K a, K b, V v, KO ko, VO vo, Eq eq, F f) {
  KO k = ko;
  VO o = vo;
  while (a != b) {
    const details::Value<K> key = *a;
    details::Value<V> s = *v;
    for (++a, ++v; a != b && eq(key, *a); ++a, ++v) s = f(s, *v);
    *k = key, *o = s, ++k, ++o;
  }
  return {details::noted(ko, k), details::noted(vo, o)};
}
template <class K, class V, class KO, class VO> pair<KO, VO> reduce_by_key(K a, K b, V v, KO ko, VO vo) {
  return thrust::reduce_by_key(a, b, v, ko, vo, std::equal_to<>(), std::plus<>());
}
template <class K, class V, class KO, class VO, class Eq> pair<KO, VO> reduce_by_key(K a, K b, V v, KO ko, VO vo, Eq eq) {
  return thrust::reduce_by_key(a, b, v, ko, vo, eq, std::plus<>());
}
template <class I, class O, class F> O inclusive_scan(I a, I b, O o, F f) {
  O to = o;
  if (a == b) return o;
  details::Value<I> s = *a;
  *to++ = s;
  for (++a; a != b; ++a) s = f(s, *a), *to++ = s;
  return details::noted(o, to);
}
template <class I, class O> O inclusive_scan(I a, I b, O o) { return thrust::inclusive_scan(a, b, o, std::plus<>()); }
template <class I, class O, class T, class F> O exclusive_scan(I a, I b, O o, T s, F f) {
  O to = o;
  for (; a != b; ++a) {
    const T next = f(s, *a);
    *to++ = s;
    s = next;
  }
  return details::noted(o, to);
}
template <class I, class O, class T> O exclusive_scan(I a, I b, O o, T s) { return thrust::exclusive_scan(a, b, o, s, std::plus<>()); }
template <class I, class O> O exclusive_scan(I a, I b, O o) { return thrust::exclusive_scan(a, b, o, details::Value<I>{}); }
template <class I, class O, class U, class F> O transform_inclusive_scan(I a, I b, O o, U u, F f) {
  return thrust::inclusive_scan(thrust::make_transform_iterator(a, u), thrust::make_transform_iterator(a, u) + (b - a), o, f);
}
template <class K, class I, class O> O inclusive_scan_by_key(K a, K b, I v, O o) {
  O to = o;
  details::Value<I> s{};
  for (K k = a; k != b; ++k, ++v, ++to) *to = s = k != a && *k == *(k - 1) ? s + *v : *v;
  return details::noted(o, to);
}
template <class K, class I, class O> O exclusive_scan_by_key(K a, K b, I v, O o) {
  O to = o;
  details::Value<I> s{};
  for (K k = a; k != b; ++k, ++v, ++to) {
    if (k == a || *k != *(k - 1)) s = details::Value<I>{};
    const details::Value<I> next = s + *v;
    *to = s;
    s = next;
  }
  return details::noted(o, to);
}
template <class I, class T> auto count(I a, I b, const T &v) { return std::count(a, b, v); }
template <class I, class P> auto count_if(I a, I b, P p) { std::ptrdiff_t n = 0; for (; a != b; ++a) n += p(*a) ? 1 : 0; return n; }
template <class I, class F> void sort(I a, I b, F f) { std::stable_sort(a, b, f); }
template <class I> void sort(I a, I b) { std::stable_sort(a, b); }
template <class I, class F> void stable_sort(I a, I b, F f) { std::stable_sort(a, b, f); }
template <class I> void stable_sort(I a, I b) { std::stable_sort(a, b); }
template <class K, class V, class F> void sort_by_key(K a, K b, V v, F f) {
  const size_t n = (size_t)(b - a);
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), (size_t)0);
  const std::vector<details::Value<K>> keys(a, b);
  const std::vector<details::Value<V>> values(v, v + n);
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return f(keys[x], keys[y]); });
  for (size_t i = 0; i < n; i++) a[i] = keys[order[i]], v[i] = values[order[i]];
}
template <class K, class V> void sort_by_key(K a, K b, V v) { thrust::sort_by_key(a, b, v, std::less<>()); }
template <class K, class V, class F> void stable_sort_by_key(K a, K b, V v, F f) { thrust::sort_by_key(a, b, v, f); }
template <class K, class V> void stable_sort_by_key(K a, K b, V v) { thrust::sort_by_key(a, b, v, std::less<>()); }
template <class I> I unique(I a, I b) { return std::unique(a, b); }
template <class I, class F> I unique(I a, I b, F f) { return std::unique(a, b, f); }
template <class I, class O> O unique_copy(I a, I b, O o) { return details::noted(o, std::unique_copy(a, b, o)); }
template <class K, class V> pair<K, V> unique_by_key(K a, K b, V v) {
  if (a == b) return {a, v};
  K k = a;
  V o = v;
  for (K i = a + 1; i != b; ++i)
    if (!(*i == *k)) *++k = *i, *++o = v[i - a];
  return {k + 1, o + 1};
}
template <class I> I min_element(I a, I b) { return std::min_element(a, b); }
template <class I> I max_element(I a, I b) { return std::max_element(a, b); }
template <class I, class F> I min_element(I a, I b, F f) { return std::min_element(a, b, f); }
template <class I, class F> I max_element(I a, I b, F f) { return std::max_element(a, b, f); }
template <class I> pair<I, I> minmax_element(I a, I b) { return {std::min_element(a, b), std::max_element(a, b)}; }
template <class I, class T> I find(I a, I b, const T &v) { return std::find(a, b, v); }
template <class I, class P> I find_if(I a, I b, P p) { return std::find_if(a, b, p); }
template <class I, class P> I remove_if(I a, I b, P p) { return std::remove_if(a, b, p); }
template <class I, class S, class P> I remove_if(I a, I b, S s, P p) {
  I to = a;
  for (; a != b; ++a, ++s)
    if (!p(*s)) *to++ = *a;
  return to;
}
template <class I, class T> I remove(I a, I b, const T &v) { return std::remove(a, b, v); }
template <class I, class O, class P> O remove_copy_if(I a, I b, O o, P p) { return details::noted(o, std::remove_copy_if(a, b, o, p)); }
template <class I, class T> void replace(I a, I b, const T &x, const T &y) { std::replace(a, b, x, y); }
template <class I, class P, class T> void replace_if(I a, I b, P p, const T &v) { std::replace_if(a, b, p, v); }
template <class I, class P> I partition(I a, I b, P p) { return std::stable_partition(a, b, p); }
template <class I, class P> I stable_partition(I a, I b, P p) { return std::stable_partition(a, b, p); }
template <class I, class T> auto lower_bound(I a, I b, const T &v) { return std::lower_bound(a, b, v); }
template <class I, class T> auto upper_bound(I a, I b, const T &v) { return std::upper_bound(a, b, v); }
template <class I, class J, class O> O lower_bound(I a, I b, J x, J y, O o) { O to = o; for (; x != y; ++x) *to++ = std::lower_bound(a, b, *x) - a; return details::noted(o, to); }
template <class I, class J, class O> O upper_bound(I a, I b, J x, J y, O o) { O to = o; for (; x != y; ++x) *to++ = std::upper_bound(a, b, *x) - a; return details::noted(o, to); }
template <class I, class T> bool binary_search(I a, I b, const T &v) { return std::binary_search(a, b, v); }
template <class I, class O> O adjacent_difference(I a, I b, O o) { return details::noted(o, std::adjacent_difference(a, b, o)); }
template <class M, class I, class O> O gather(M a, M b, I in, O o) { O to = o; for (; a != b; ++a) *to++ = in[*a]; return details::noted(o, to); }
template <class I, class M, class O> void scatter(I a, I b, M m, O o) { for (; a != b; ++a, ++m) { o[*m] = *a; details::noted(o + *m, o + *m + 1); } }
template <class I, class J> bool equal(I a, I b, J c) { return std::equal(a, b, c); }
template <class I, class P> bool all_of(I a, I b, P p) { return std::all_of(a, b, p); }
template <class I, class P> bool any_of(I a, I b, P p) { return std::any_of(a, b, p); }
template <class I, class P> bool none_of(I a, I b, P p) { return std::none_of(a, b, p); }
template <class I> bool is_sorted(I a, I b) { return std::is_sorted(a, b); }
template <class I> void reverse(I a, I b) { std::reverse(a, b); }
template <class I, class J, class O> O merge(I a, I b, J c, J d, O o) { return details::noted(o, std::merge(a, b, c, d, o)); }
template <class I, class J, class O> O set_intersection(I a, I b, J c, J d, O o) { return details::noted(o, std::set_intersection(a, b, c, d, o)); }
template <class I, class J, class O> O set_difference(I a, I b, J c, J d, O o) { return details::noted(o, std::set_difference(a, b, c, d, o)); }
template <class I, class J, class O> O set_union(I a, I b, J c, J d, O o) { return details::noted(o, std::set_union(a, b, c, d, o)); }
template <class T> const T &(max)(const T &a, const T &b) { return a < b ? b : a; }
template <class T> const T &(min)(const T &a, const T &b) { return b < a ? b : a; }
template <class T> void swap(T &a, T &b) { std::swap(a, b); }

HIPPORT_THRUST(copy) HIPPORT_THRUST(copy_n) HIPPORT_THRUST(copy_if) HIPPORT_THRUST(fill) HIPPORT_THRUST(fill_n) HIPPORT_THRUST(sequence)
HIPPORT_THRUST(generate) HIPPORT_THRUST(tabulate) HIPPORT_THRUST(transform) HIPPORT_THRUST(transform_if) HIPPORT_THRUST(for_each)
HIPPORT_THRUST(for_each_n) HIPPORT_THRUST(reduce) HIPPORT_THRUST(transform_reduce) HIPPORT_THRUST(inner_product) HIPPORT_THRUST(reduce_by_key)
HIPPORT_THRUST(inclusive_scan) HIPPORT_THRUST(exclusive_scan) HIPPORT_THRUST(transform_inclusive_scan) HIPPORT_THRUST(inclusive_scan_by_key)
HIPPORT_THRUST(exclusive_scan_by_key) HIPPORT_THRUST(count) HIPPORT_THRUST(count_if) HIPPORT_THRUST(sort) HIPPORT_THRUST(stable_sort)
HIPPORT_THRUST(sort_by_key) HIPPORT_THRUST(stable_sort_by_key) HIPPORT_THRUST(unique) HIPPORT_THRUST(unique_copy) HIPPORT_THRUST(unique_by_key)
HIPPORT_THRUST(min_element) HIPPORT_THRUST(max_element) HIPPORT_THRUST(minmax_element) HIPPORT_THRUST(find) HIPPORT_THRUST(find_if)
HIPPORT_THRUST(remove_if) HIPPORT_THRUST(remove) HIPPORT_THRUST(remove_copy_if) HIPPORT_THRUST(replace) HIPPORT_THRUST(replace_if)
HIPPORT_THRUST(partition) HIPPORT_THRUST(stable_partition) HIPPORT_THRUST(lower_bound) HIPPORT_THRUST(upper_bound) HIPPORT_THRUST(binary_search)
HIPPORT_THRUST(adjacent_difference) HIPPORT_THRUST(gather) HIPPORT_THRUST(scatter) HIPPORT_THRUST(equal) HIPPORT_THRUST(all_of)
HIPPORT_THRUST(any_of) HIPPORT_THRUST(none_of) HIPPORT_THRUST(is_sorted) HIPPORT_THRUST(reverse) HIPPORT_THRUST(merge)
HIPPORT_THRUST(set_intersection) HIPPORT_THRUST(set_difference) HIPPORT_THRUST(set_union)
#undef HIPPORT_THRUST

}  // namespace thrust
#endif
