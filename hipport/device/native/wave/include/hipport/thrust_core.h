// thrust's vectors, iterators and function objects: device memory is host memory, so all of it runs on the host.
#ifndef HIPPORT_WAVE_THRUST_CORE_H
#define HIPPORT_WAVE_THRUST_CORE_H

#include "cub_device.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <tuple>
#include <vector>

namespace thrust {

struct policy {
  template <class S> policy on(S) const { return {}; }
  template <class S> policy operator()(S) const { return {}; }
};
static const policy device, host, seq;
struct device_execution_policy_tag : policy {};
namespace cuda { static const policy par, par_nosync; }
namespace hip { static const policy par, par_nosync; }
namespace omp { static const policy par; }
namespace cuda_cub { static const policy par; }

template <class T>
class device_ptr {
  T *at_;

 public:
  typedef std::remove_cv_t<T> value_type;
  typedef T &reference;
  typedef T *pointer;
  typedef std::ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  device_ptr() : at_(nullptr) {}
  explicit device_ptr(T *p) : at_(p) {}
  device_ptr(std::nullptr_t) : at_(nullptr) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>> device_ptr(const device_ptr<U> &o) : at_(o.get()) {}
  T *get() const { return at_; }
  T &operator*() const { return *at_; }
  T *operator->() const { return at_; }
  T &operator[](std::ptrdiff_t n) const { return at_[n]; }
  device_ptr &operator++() { ++at_; return *this; }
  device_ptr operator++(int) { return device_ptr(at_++); }
  device_ptr &operator--() { --at_; return *this; }
  device_ptr operator--(int) { return device_ptr(at_--); }
  device_ptr &operator+=(std::ptrdiff_t n) { at_ += n; return *this; }
  device_ptr &operator-=(std::ptrdiff_t n) { at_ -= n; return *this; }
  device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(at_ + n); }
  device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(at_ - n); }
  std::ptrdiff_t operator-(const device_ptr &o) const { return at_ - o.at_; }
  bool operator==(const device_ptr &o) const { return at_ == o.at_; }
  bool operator!=(const device_ptr &o) const { return at_ != o.at_; }
  bool operator<(const device_ptr &o) const { return at_ < o.at_; }
  bool operator>(const device_ptr &o) const { return at_ > o.at_; }
  bool operator<=(const device_ptr &o) const { return at_ <= o.at_; }
  bool operator>=(const device_ptr &o) const { return at_ >= o.at_; }
};
template <class T> device_ptr<T> operator+(std::ptrdiff_t n, device_ptr<T> p) { return p + n; }
template <class T> device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> T &raw_reference_cast(T &r) { return r; }
template <class T> using device_reference = T &;

template <class T>
class device_vector {
  T *data_ = nullptr;
  size_t size_ = 0, room_ = 0;

  void grow(size_t n) {
    if (n <= room_) return;
    T *fresh = nullptr;
    const size_t room = std::max(n, size_ + size_ / 2);
    ::hipport_wave::allocate((void **)&fresh, room * sizeof(T), 0);
    for (size_t i = 0; i < size_; i++) fresh[i] = data_[i];
    if (data_) cudaFree(data_);
    data_ = fresh, room_ = room;
    ::hipport_wave::wrote(data_, size_);
  }

 public:
  typedef T value_type;
  typedef T &reference;
  typedef const T &const_reference;
  typedef device_ptr<T> pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef size_t size_type;
  typedef std::ptrdiff_t difference_type;
  device_vector() {}
  explicit device_vector(size_t n, const T &v = T()) { resize(n, v); }
  device_vector(std::initializer_list<T> l) { assign(l.begin(), l.end()); }
  device_vector(const device_vector &o) { assign(o.begin(), o.end()); }
  device_vector(device_vector &&o) noexcept { swap(o); }
  template <class A> device_vector(const std::vector<T, A> &o) { assign(o.begin(), o.end()); }
  template <class It, class = typename std::iterator_traits<It>::iterator_category> device_vector(It a, It b) { assign(a, b); }
  ~device_vector() { if (data_) cudaFree(data_); }
  device_vector &operator=(const device_vector &o) { if (this != &o) assign(o.begin(), o.end()); return *this; }
  device_vector &operator=(device_vector &&o) noexcept { swap(o); return *this; }
  template <class A> device_vector &operator=(const std::vector<T, A> &o) { assign(o.begin(), o.end()); return *this; }
  template <class It> void assign(It a, It b) {
    const size_t n = (size_t)std::distance(a, b);
    grow(n);
    size_ = n;
    for (size_t i = 0; i < n; i++, ++a) data_[i] = (T)*a;
    ::hipport_wave::wrote(data_, n);
  }
  void assign(size_t n, const T &v) { clear(); resize(n, v); }
  void resize(size_t n, const T &v = T()) {
    grow(n);
    for (size_t i = size_; i < n; i++) data_[i] = v;
    if (n > size_) ::hipport_wave::wrote(data_ + size_, n - size_);
    size_ = n;
  }
  void reserve(size_t n) { grow(n); }
  void push_back(const T &v) { resize(size_ + 1, v); }
  void pop_back() { size_--; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &o) { std::swap(data_, o.data_), std::swap(size_, o.size_), std::swap(room_, o.room_); }
  iterator erase(iterator a, iterator b) {
    const iterator stop = end();
    iterator to = a;
    while (b != stop) *to++ = *b++;
    size_ = (size_t)(to - begin());
    return a;
  }
  size_t size() const { return size_; }
  size_t capacity() const { return room_; }
  bool empty() const { return size_ == 0; }
  T &operator[](size_t i) { ::hipport_wave::wrote(data_ + i, 1); return data_[i]; }
  const T &operator[](size_t i) const { return data_[i]; }
  T &front() { return (*this)[0]; }
  T &back() { return (*this)[size_ - 1]; }
  pointer data() { return pointer(data_); }
  device_ptr<const T> data() const { return device_ptr<const T>(data_); }
  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  operator std::vector<T>() const { return std::vector<T>(data_, data_ + size_); }
};
template <class T, class A = std::allocator<T>>
class host_vector : public std::vector<T, A> {
 public:
  using std::vector<T, A>::vector;
  host_vector() {}
  host_vector(const device_vector<T> &d) : std::vector<T, A>(d.begin(), d.end()) {}
  host_vector &operator=(const device_vector<T> &d) { this->assign(d.begin(), d.end()); return *this; }
};

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
template <size_t N, class T> using tuple_element = std::tuple_element<N, T>;

template <class T = void> using plus = std::plus<T>;
template <class T = void> using minus = std::minus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using divides = std::divides<T>;
template <class T = void> using modulus = std::modulus<T>;
template <class T = void> using negate = std::negate<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using less_equal = std::less_equal<T>;
template <class T = void> using greater_equal = std::greater_equal<T>;
template <class T = void> using equal_to = std::equal_to<T>;
template <class T = void> using not_equal_to = std::not_equal_to<T>;
template <class T = void> using logical_and = std::logical_and<T>;
template <class T = void> using logical_or = std::logical_or<T>;
template <class T = void> using logical_not = std::logical_not<T>;
template <class T = void> using bit_and = std::bit_and<T>;
template <class T = void> using bit_or = std::bit_or<T>;
template <class T = void> using bit_xor = std::bit_xor<T>;
template <class T> struct identity { T operator()(const T &a) const { return a; } };
template <class T> struct maximum { T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T> struct minimum { T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class T> struct square { T operator()(const T &a) const { return a * a; } };
template <class A, class B> struct unary_function { typedef A argument_type; typedef B result_type; };
template <class A, class B, class C> struct binary_function { typedef A first_argument_type; typedef B second_argument_type; typedef C result_type; };

// Iterators that compute what they give: all are a base and a place.
template <class Self, class T, class Ref = T>
struct iterator_base {
  typedef T value_type;
  typedef Ref reference;
  typedef void pointer;
  typedef std::ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  std::ptrdiff_t place = 0;
  Self &self() { return *static_cast<Self *>(this); }
  const Self &self() const { return *static_cast<const Self *>(this); }
  Ref operator*() const { return self().at(place); }
  Ref operator[](std::ptrdiff_t n) const { return self().at(place + n); }
  Self &operator++() { place++; return self(); }
  Self operator++(int) { Self s = self(); place++; return s; }
  Self &operator--() { place--; return self(); }
  Self operator--(int) { Self s = self(); place--; return s; }
  Self &operator+=(std::ptrdiff_t n) { place += n; return self(); }
  Self &operator-=(std::ptrdiff_t n) { place -= n; return self(); }
  Self operator+(std::ptrdiff_t n) const { Self s = self(); s.place += n; return s; }
  Self operator-(std::ptrdiff_t n) const { Self s = self(); s.place -= n; return s; }
  std::ptrdiff_t operator-(const Self &o) const { return self().value() - o.value(); }
  std::ptrdiff_t value() const { return place; }
  bool operator==(const Self &o) const { return *this - o == 0; }
  bool operator!=(const Self &o) const { return *this - o != 0; }
  bool operator<(const Self &o) const { return *this - o < 0; }
};
template <class T>
struct counting_iterator : iterator_base<counting_iterator<T>, T> {
  T first;
  explicit counting_iterator(T f = T()) : first(f) {}
  T at(std::ptrdiff_t n) const { return (T)(first + n); }
  std::ptrdiff_t value() const { return (std::ptrdiff_t)first + this->place; }
};
template <class T> counting_iterator<T> make_counting_iterator(T f) { return counting_iterator<T>(f); }
template <class T>
struct constant_iterator : iterator_base<constant_iterator<T>, T> {
  T held;
  explicit constant_iterator(T v = T(), std::ptrdiff_t n = 0) : held(v) { this->place = n; }
  T at(std::ptrdiff_t) const { return held; }
};
template <class T> constant_iterator<T> make_constant_iterator(T v) { return constant_iterator<T>(v); }
template <class F, class In>
struct transform_iterator : iterator_base<transform_iterator<F, In>, std::decay_t<decltype(std::declval<F &>()(*std::declval<In &>()))>> {
  In in;
  mutable F f;
  transform_iterator(In i, F g) : in(i), f(g) {}
  auto at(std::ptrdiff_t n) const { return f(in[n]); }
};
template <class F, class In> transform_iterator<F, In> make_transform_iterator(In i, F f) { return {i, f}; }
template <class In, class Map>
struct permutation_iterator : iterator_base<permutation_iterator<In, Map>, std::decay_t<decltype(*std::declval<In &>())>, decltype(*std::declval<In &>())> {
  In in;
  Map map;
  permutation_iterator(In i, Map m) : in(i), map(m) {}
  decltype(auto) at(std::ptrdiff_t n) const { return in[map[n]]; }
};
template <class In, class Map> permutation_iterator<In, Map> make_permutation_iterator(In i, Map m) { return {i, m}; }
template <class Tuple> struct zip_iterator;
template <class... It>
struct zip_iterator<std::tuple<It...>> : iterator_base<zip_iterator<std::tuple<It...>>, std::tuple<std::decay_t<decltype(*std::declval<It &>())>...>,
                                                       std::tuple<decltype(*std::declval<It &>())...>> {
  std::tuple<It...> all;
  zip_iterator(std::tuple<It...> t) : all(t) {}
  auto at(std::ptrdiff_t n) const {
    return std::apply([n](auto &...it) { return std::tuple<decltype(*std::declval<It &>())...>(it[n]...); }, all);
  }
};
template <class... It> zip_iterator<std::tuple<It...>> make_zip_iterator(std::tuple<It...> t) { return {t}; }
template <class... It> zip_iterator<std::tuple<It...>> make_zip_iterator(It... it) { return {std::make_tuple(it...)}; }
struct discard_iterator : iterator_base<discard_iterator, int, discard_iterator> {
  template <class T> const discard_iterator &operator=(const T &) const { return *this; }
  discard_iterator at(std::ptrdiff_t) const { return *this; }
};
inline discard_iterator make_discard_iterator() { return {}; }
template <class It> auto distance(It a, It b) { return b - a; }
template <class It, class N> void advance(It &a, N n) { a += n; }

template <class T> device_ptr<T> device_malloc(size_t n) {
  T *p = nullptr;
  ::hipport_wave::allocate((void **)&p, n * sizeof(T), 0);
  return device_ptr<T>(p);
}
template <class T> void device_free(device_ptr<T> p) { cudaFree(p.get()); }

}  // namespace thrust

namespace hipport_wave {
template <class T> inline void wrote(thrust::device_ptr<T> from, size_t count) { host_wrote(from.get(), count * sizeof(T)); }
}

#endif
