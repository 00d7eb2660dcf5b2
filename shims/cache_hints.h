namespace hipport {
// Loads and stores with a hint for the caches, for every type of 1, 2, 4, 8 and 16 bytes. Streaming ones (.cs, .lu) are
// non-temporal; those that skip the first cache (.cg, .cv, .wt) go where the other CUs, or the host, see them.
template <int Bytes> struct cached_word;
template <> struct cached_word<1> { typedef unsigned char type; enum { count = 1 }; };
template <> struct cached_word<2> { typedef unsigned short type; enum { count = 1 }; };
template <> struct cached_word<4> { typedef unsigned type; enum { count = 1 }; };
template <> struct cached_word<8> { typedef unsigned long long type; enum { count = 1 }; };
template <> struct cached_word<16> { typedef unsigned long long type; enum { count = 2 }; };
template <class T> struct same_type { typedef T type; };
template <class T> struct cached {
  typedef typename cached_word<sizeof(T)>::type word;
  enum { count = cached_word<sizeof(T)>::count };
  word part[count];
};
// a type with a copy constructor of its own, as __hip_bfloat162 has, is none for __builtin_bit_cast
template <class To, class From>
__device__ inline To cached_bits(const From &value) {
  To result;
  __builtin_memcpy((void *)&result, (const void *)&value, sizeof(To));
  return result;
}
template <class T>
__device__ inline T ldca(const T *from) { return *from; }
template <class T>
__device__ inline T ldcs(const T *from) {
  cached<T> value;
  for (int i = 0; i < cached<T>::count; ++i) value.part[i] = __builtin_nontemporal_load((const typename cached<T>::word *)from + i);
  return cached_bits<T>(value);
}
template <class T>
__device__ inline T ldlu(const T *from) { return ldcs(from); }
template <class T>
__device__ inline T ldcg(const T *from) {
  cached<T> value;
  for (int i = 0; i < cached<T>::count; ++i)
    value.part[i] = __hip_atomic_load((const typename cached<T>::word *)from + i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return cached_bits<T>(value);
}
template <class T>
__device__ inline T ldcv(const T *from) {
  cached<T> value;
  for (int i = 0; i < cached<T>::count; ++i)
    value.part[i] = __hip_atomic_load((const typename cached<T>::word *)from + i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  return cached_bits<T>(value);
}
template <class T>
__device__ inline void stwb(T *to, typename same_type<T>::type value) { *to = value; }
template <class T>
__device__ inline void stcs(T *to, typename same_type<T>::type value) {
  const cached<T> parts = cached_bits<cached<T>>(value);
  for (int i = 0; i < cached<T>::count; ++i) __builtin_nontemporal_store(parts.part[i], (typename cached<T>::word *)to + i);
}
template <class T>
__device__ inline void stcg(T *to, typename same_type<T>::type value) {
  const cached<T> parts = cached_bits<cached<T>>(value);
  for (int i = 0; i < cached<T>::count; ++i)
    __hip_atomic_store((typename cached<T>::word *)to + i, parts.part[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ inline void stwt(T *to, typename same_type<T>::type value) {
  const cached<T> parts = cached_bits<cached<T>>(value);
  for (int i = 0; i < cached<T>::count; ++i)
    __hip_atomic_store((typename cached<T>::word *)to + i, parts.part[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
}  // namespace hipport
