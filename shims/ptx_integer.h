namespace hipport {
// Integers as PTX computes them: they wrap around where C++ has no answer. `wider_of` is the unsigned type of a size.
template <int Bytes> struct unsigned_of;
template <> struct unsigned_of<2> { typedef unsigned short type; };
template <> struct unsigned_of<4> { typedef unsigned type; };
template <> struct unsigned_of<8> { typedef unsigned long long type; };
template <class T>
__device__ inline T wrapping_add(T a, T b) {
  typedef typename unsigned_of<sizeof(T)>::type U;
  return (T)(U)((U)a + (U)b);
}
template <class T>
__device__ inline T wrapping_sub(T a, T b) {
  typedef typename unsigned_of<sizeof(T)>::type U;
  return (T)(U)((U)a - (U)b);
}
__device__ inline int saturating_add(int a, int b) { return __builtin_elementwise_add_sat(a, b); }
__device__ inline int saturating_sub(int a, int b) { return __builtin_elementwise_sub_sat(a, b); }
template <class T>
__device__ inline T mul_lo(T a, T b) { return (T)((unsigned long long)a * (unsigned long long)b); }
template <class T>
__device__ inline T mul_hi(T a, T b) {
  if (sizeof(T) == 8) return (T)(T(-1) < T(0) ? (long long)(((__int128)a * (__int128)b) >> 64)
                                              : (long long)(((unsigned __int128)a * (unsigned __int128)b) >> 64));
  if (T(-1) < T(0)) return (T)(((long long)a * (long long)b) >> 8 * sizeof(T));
  return (T)(((unsigned long long)a * (unsigned long long)b) >> 8 * sizeof(T));
}
template <class T>
__device__ inline T mad_lo(T a, T b, T c) { return wrapping_add(mul_lo(a, b), c); }
template <class T>
__device__ inline T mad_hi(T a, T b, T c) { return wrapping_add(mul_hi(a, b), c); }
// The low 24 bits of each, with their own sign where the type has one: a product of 48 bits.
template <class T>
__device__ inline long long product24(T a, T b) {
  if (T(-1) < T(0)) return (long long)((int)((unsigned)a << 8) >> 8) * (long long)((int)((unsigned)b << 8) >> 8);
  return (long long)((unsigned long long)((unsigned)a & 0xffffffu) * (unsigned long long)((unsigned)b & 0xffffffu));
}
template <class T>
__device__ inline T mul24_lo(T a, T b) { return (T)(unsigned)product24(a, b); }
template <class T>
__device__ inline T mul24_hi(T a, T b) { return (T)(product24(a, b) >> 16); }
template <class T>
__device__ inline T lesser(T a, T b) { return b < a ? b : a; }
template <class T>
__device__ inline T greater(T a, T b) { return a < b ? b : a; }
template <class T>
__device__ inline T sad(T a, T b, T c) { return wrapping_add(c, a < b ? wrapping_sub(b, a) : wrapping_sub(a, b)); }
template <class T>
__device__ inline T magnitude(T a) { return a < 0 ? wrapping_sub((T)0, a) : a; }
}  // namespace hipport
