// Device mathematics and integer intrinsics beyond the C library's.
#ifndef HIPPORT_WAVE_MATH_H
#define HIPPORT_WAVE_MATH_H

#include "types.h"

#include <cmath>
#include <math.h>
#include <string.h>

// --- min, max, as CUDA overloads them
#define HIPPORT_MINMAX(A, B, R)                                                            \
  HIPPORT_INLINE R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                     \
  HIPPORT_INLINE R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
HIPPORT_MINMAX(int, int, int)
HIPPORT_MINMAX(unsigned int, unsigned int, unsigned int)
HIPPORT_MINMAX(int, unsigned int, unsigned int)
HIPPORT_MINMAX(unsigned int, int, unsigned int)
HIPPORT_MINMAX(long, long, long)
HIPPORT_MINMAX(unsigned long, unsigned long, unsigned long)
HIPPORT_MINMAX(long, unsigned long, unsigned long)
HIPPORT_MINMAX(unsigned long, long, unsigned long)
HIPPORT_MINMAX(long long, long long, long long)
HIPPORT_MINMAX(unsigned long long, unsigned long long, unsigned long long)
HIPPORT_MINMAX(long long, unsigned long long, unsigned long long)
HIPPORT_MINMAX(unsigned long long, long long, unsigned long long)
#undef HIPPORT_MINMAX
HIPPORT_INLINE float min(float a, float b) { return fminf(a, b); }
HIPPORT_INLINE float max(float a, float b) { return fmaxf(a, b); }
HIPPORT_INLINE double min(double a, double b) { return fmin(a, b); }
HIPPORT_INLINE double max(double a, double b) { return fmax(a, b); }
HIPPORT_INLINE double min(float a, double b) { return fmin((double)a, b); }
HIPPORT_INLINE double min(double a, float b) { return fmin(a, (double)b); }
HIPPORT_INLINE double max(float a, double b) { return fmax((double)a, b); }
HIPPORT_INLINE double max(double a, float b) { return fmax(a, (double)b); }
HIPPORT_INLINE int umin(unsigned a, unsigned b) { return a < b ? a : b; }
HIPPORT_INLINE int umax(unsigned a, unsigned b) { return a < b ? b : a; }

// --- bits
namespace hipport_wave {
template <class To, class From>
HIPPORT_INLINE To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits need the same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
}  // namespace hipport_wave
HIPPORT_INLINE int __float_as_int(float v) { return ::hipport_wave::same_bits<int>(v); }
HIPPORT_INLINE unsigned __float_as_uint(float v) { return ::hipport_wave::same_bits<unsigned>(v); }
HIPPORT_INLINE float __int_as_float(int v) { return ::hipport_wave::same_bits<float>(v); }
HIPPORT_INLINE float __uint_as_float(unsigned v) { return ::hipport_wave::same_bits<float>(v); }
HIPPORT_INLINE long long __double_as_longlong(double v) { return ::hipport_wave::same_bits<long long>(v); }
HIPPORT_INLINE double __longlong_as_double(long long v) { return ::hipport_wave::same_bits<double>(v); }
HIPPORT_INLINE int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
HIPPORT_INLINE int __double2loint(double v) { return (int)__double_as_longlong(v); }
HIPPORT_INLINE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned)hi << 32) | (unsigned)lo));
}
HIPPORT_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
HIPPORT_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
HIPPORT_INLINE int __ffs(int v) { return __builtin_ffs(v); }
HIPPORT_INLINE int __ffs(unsigned v) { return __builtin_ffs((int)v); }
HIPPORT_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
HIPPORT_INLINE int __ffsll(unsigned long long v) { return __builtin_ffsll((long long)v); }
HIPPORT_INLINE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
HIPPORT_INLINE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
HIPPORT_INLINE unsigned __brev(unsigned v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}
HIPPORT_INLINE unsigned long long __brevll(unsigned long long v) {
  return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}
HIPPORT_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned select) {
  const unsigned long long both = (unsigned long long)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned s = select >> 4 * i & 15;
    unsigned byte = (unsigned)(both >> 8 * (s & 7)) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << 8 * i;
  }
  return r;
}
HIPPORT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return (unsigned)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32); }
HIPPORT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31)); }
HIPPORT_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) { return n >= 32 ? lo : __funnelshift_l(lo, hi, n); }
HIPPORT_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) { return n >= 32 ? hi : __funnelshift_r(lo, hi, n); }
HIPPORT_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HIPPORT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
HIPPORT_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HIPPORT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
HIPPORT_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
HIPPORT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HIPPORT_INLINE unsigned __sad(int a, int b, unsigned c) { return (unsigned)(a < b ? b - a : a - b) + c; }
HIPPORT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
HIPPORT_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HIPPORT_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HIPPORT_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
HIPPORT_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++) c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
  return c;
}
HIPPORT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return c;
}
#ifdef HIPPORT_HIP
HIPPORT_INLINE unsigned __bitinsert_u32(unsigned a, unsigned b, unsigned offset, unsigned width) {
  const unsigned mask = width >= 32 ? ~0u : ((1u << width) - 1) << offset;
  return (a & ~mask) | (b << offset & mask);
}
HIPPORT_INLINE unsigned __bitextract_u32(unsigned a, unsigned offset, unsigned width) {
  return width == 0 ? 0 : (a >> (offset & 31)) & (width >= 32 ? ~0u : (1u << width) - 1);
}
#endif

// --- conversions: n nearest even, z toward zero, u up, d down; out of range saturates, NaN is 0
namespace hipport_wave {
template <class I, class F>
HIPPORT_INLINE I saturated(F v) {
  constexpr I low = (I)((I)-1 < (I)0 ? (I)((unsigned long long)1 << (8 * sizeof(I) - 1)) : 0);
  constexpr I high = (I)~low;
  if (v != v) return 0;
  if (v <= (F)low) return low;
  if (v >= (F)high) return high;
  return (I)v;
}
}  // namespace hipport_wave
#define HIPPORT_TO_INTEGER(F, f, I, i)                                                                        \
  HIPPORT_INLINE I __##f##2##i##_rn(F v) { return ::hipport_wave::saturated<I>(std::nearbyint(v)); }          \
  HIPPORT_INLINE I __##f##2##i##_rz(F v) { return ::hipport_wave::saturated<I>(std::trunc(v)); }              \
  HIPPORT_INLINE I __##f##2##i##_ru(F v) { return ::hipport_wave::saturated<I>(std::ceil(v)); }               \
  HIPPORT_INLINE I __##f##2##i##_rd(F v) { return ::hipport_wave::saturated<I>(std::floor(v)); }
HIPPORT_TO_INTEGER(float, float, int, int)
HIPPORT_TO_INTEGER(float, float, unsigned, uint)
HIPPORT_TO_INTEGER(float, float, long long, ll)
HIPPORT_TO_INTEGER(float, float, unsigned long long, ull)
HIPPORT_TO_INTEGER(double, double, int, int)
HIPPORT_TO_INTEGER(double, double, unsigned, uint)
HIPPORT_TO_INTEGER(double, double, long long, ll)
HIPPORT_TO_INTEGER(double, double, unsigned long long, ull)
#undef HIPPORT_TO_INTEGER
HIPPORT_INLINE float __int2float_rn(int v) { return (float)v; }
HIPPORT_INLINE float __int2float_rz(int v) { float r = (float)v; return std::fabs((double)r) > std::fabs((double)v) ? nextafterf(r, 0.0f) : r; }
HIPPORT_INLINE float __uint2float_rn(unsigned v) { return (float)v; }
HIPPORT_INLINE float __ll2float_rn(long long v) { return (float)v; }
HIPPORT_INLINE float __ull2float_rn(unsigned long long v) { return (float)v; }
HIPPORT_INLINE double __int2double_rn(int v) { return v; }
HIPPORT_INLINE double __uint2double_rn(unsigned v) { return v; }
HIPPORT_INLINE double __ll2double_rn(long long v) { return (double)v; }
HIPPORT_INLINE double __ull2double_rn(unsigned long long v) { return (double)v; }
HIPPORT_INLINE float __double2float_rn(double v) { return (float)v; }

// --- arithmetic with its rounding named; never fused
#define HIPPORT_ROUNDED(F, p)                                                                     \
  HIPPORT_INLINE F __##p##add_rn(F a, F b) { return a + b; }                                      \
  HIPPORT_INLINE F __##p##sub_rn(F a, F b) { return a - b; }                                      \
  HIPPORT_INLINE F __##p##mul_rn(F a, F b) { return a * b; }                                      \
  HIPPORT_INLINE F __##p##div_rn(F a, F b) { return a / b; }                                      \
  HIPPORT_INLINE F __##p##rcp_rn(F a) { return (F)1 / a; }                                        \
  HIPPORT_INLINE F __##p##sqrt_rn(F a) { return std::sqrt(a); }
HIPPORT_ROUNDED(float, f)
HIPPORT_ROUNDED(double, d)
#undef HIPPORT_ROUNDED
HIPPORT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
HIPPORT_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
HIPPORT_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / std::sqrt((double)a)); }

// --- functions that the C library lacks
HIPPORT_INLINE float rsqrtf(float a) { return (float)(1.0 / std::sqrt((double)a)); }
HIPPORT_INLINE double rsqrt(double a) { return 1.0 / std::sqrt(a); }
HIPPORT_INLINE float rsqrt(float a) { return rsqrtf(a); }
HIPPORT_INLINE float rcbrtf(float a) { return 1.0f / cbrtf(a); }
HIPPORT_INLINE double rcbrt(double a) { return 1.0 / cbrt(a); }
HIPPORT_INLINE float sinpif(float a) { return (float)sin(M_PI * (double)(a - 2.0f * std::nearbyint(a / 2.0f))); }
HIPPORT_INLINE float cospif(float a) { return (float)cos(M_PI * (double)(a - 2.0f * std::nearbyint(a / 2.0f))); }
HIPPORT_INLINE double sinpi(double a) { return sin(M_PI * (a - 2.0 * std::nearbyint(a / 2.0))); }
HIPPORT_INLINE double cospi(double a) { return cos(M_PI * (a - 2.0 * std::nearbyint(a / 2.0))); }
HIPPORT_INLINE void sincospif(float a, float *s, float *c) { *s = sinpif(a); *c = cospif(a); }
HIPPORT_INLINE void sincospi(double a, double *s, double *c) { *s = sinpi(a); *c = cospi(a); }
HIPPORT_INLINE float erfcxf(float a) { return (float)(exp((double)a * a) * erfc((double)a)); }
HIPPORT_INLINE double erfcx(double a) { return exp(a * a) * erfc(a); }
HIPPORT_INLINE float normcdff(float a) { return (float)(0.5 * erfc(-(double)a * M_SQRT1_2)); }
HIPPORT_INLINE double normcdf(double a) { return 0.5 * erfc(-a * M_SQRT1_2); }
HIPPORT_INLINE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
HIPPORT_INLINE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
HIPPORT_INLINE float norm3df(float a, float b, float c) { return (float)std::sqrt((double)a * a + (double)b * b + (double)c * c); }
HIPPORT_INLINE double norm3d(double a, double b, double c) { return std::sqrt(a * a + b * b + c * c); }
HIPPORT_INLINE float norm4df(float a, float b, float c, float d) {
  return (float)std::sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
HIPPORT_INLINE float rnorm3df(float a, float b, float c) { return (float)(1.0 / std::sqrt((double)a * a + (double)b * b + (double)c * c)); }
HIPPORT_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
#ifndef __GLIBC__
HIPPORT_INLINE float exp10f(float a) { return powf(10.0f, a); }
#endif

// --- fast intrinsics, computed as the accurate functions
HIPPORT_INLINE float __expf(float a) { ::hipport_wave::used_approximate(0); return expf(a); }
HIPPORT_INLINE float __exp10f(float a) { ::hipport_wave::used_approximate(0); return powf(10.0f, a); }
HIPPORT_INLINE float __logf(float a) { ::hipport_wave::used_approximate(0); return logf(a); }
HIPPORT_INLINE float __log2f(float a) { ::hipport_wave::used_approximate(0); return log2f(a); }
HIPPORT_INLINE float __log10f(float a) { ::hipport_wave::used_approximate(0); return log10f(a); }
HIPPORT_INLINE float __powf(float a, float b) { ::hipport_wave::used_approximate(0); return powf(a, b); }
HIPPORT_INLINE float __sinf(float a) { ::hipport_wave::used_approximate(0); return sinf(a); }
HIPPORT_INLINE float __cosf(float a) { ::hipport_wave::used_approximate(0); return cosf(a); }
HIPPORT_INLINE float __tanf(float a) { ::hipport_wave::used_approximate(0); return tanf(a); }
HIPPORT_INLINE float __tanhf(float a) { ::hipport_wave::used_approximate(0); return tanhf(a); }
HIPPORT_INLINE void __sincosf(float a, float *s, float *c) { ::hipport_wave::used_approximate(0); *s = sinf(a); *c = cosf(a); }
HIPPORT_INLINE float __fdividef(float a, float b) { ::hipport_wave::used_approximate(0); return a / b; }
HIPPORT_INLINE float fdividef(float a, float b) { return a / b; }
HIPPORT_INLINE float __saturatef(float a) { return a != a ? 0.0f : a < 0.0f ? 0.0f : a > 1.0f ? 1.0f : a; }
HIPPORT_INLINE double __drsqrt_rn(double a) { return 1.0 / std::sqrt(a); }

#endif
