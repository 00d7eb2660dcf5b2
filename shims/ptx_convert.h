namespace hipport {
// Conversions of PTX: they saturate, and a NaN becomes 0.
__device__ inline float rni(float x) { return __builtin_rintf(x); }
__device__ inline float rzi(float x) { return __builtin_truncf(x); }
__device__ inline float rmi(float x) { return __builtin_floorf(x); }
__device__ inline float rpi(float x) { return __builtin_ceilf(x); }
__device__ inline double rni(double x) { return __builtin_rint(x); }
__device__ inline double rzi(double x) { return __builtin_trunc(x); }
__device__ inline double rmi(double x) { return __builtin_floor(x); }
__device__ inline double rpi(double x) { return __builtin_ceil(x); }
template <class T>
__device__ constexpr T largest() { return T(-1) < T(0) ? (T)((1ull << (8 * sizeof(T) - 1)) - 1) : (T)~0ull; }
template <class T>
__device__ constexpr T smallest() { return T(-1) < T(0) ? (T)(1ull << (8 * sizeof(T) - 1)) : (T)0; }
template <class T, class F>
__device__ inline T to_integer(F x) {
  const F edge = T(-1) < T(0) ? (F)(1ull << (8 * sizeof(T) - 1)) : (F)2 * (F)(1ull << (8 * sizeof(T) - 1));
  if (!(x < edge)) return x != x ? (T)0 : largest<T>();
  if (T(-1) < T(0) ? x < -edge : x < (F)0) return smallest<T>();
  return (T)x;
}
template <class T, class F>
__device__ inline T clamped(F x) {
  if (x < (F)0) return T(-1) < T(0) ? ((long long)x < (long long)smallest<T>() ? smallest<T>() : (T)x) : (T)0;
  return (unsigned long long)x > (unsigned long long)largest<T>() ? largest<T>() : (T)x;
}
// To the nearest TF32, ties away from zero.
__device__ inline unsigned tf32_bits(float x) {
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffffffu;
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}
}  // namespace hipport
