// Arithmetic of a 16-bit floating-point type: each operation through float, rounded once to nearest even.
// HIPPORT_SMALL_FLOAT(T, T2) wants T{float} and (float)T, and a T2 of two T called x and y.
#ifndef HIPPORT_WAVE_SMALL_FLOAT_H
#define HIPPORT_WAVE_SMALL_FLOAT_H

#include "atomics.h"
#include "math.h"

#define HIPPORT_SMALL_TWO(T, T2, name, expression)                                                              \
  HIPPORT_INLINE T name(T a, T b) { const float x = (float)a, y = (float)b; (void)x, (void)y; return T((float)(expression)); }   \
  HIPPORT_INLINE T2 name##2(T2 a, T2 b) { return T2{name(a.x, b.x), name(a.y, b.y)}; }
#define HIPPORT_SMALL_ONE(T, name, expression)                                                                  \
  HIPPORT_INLINE T name(T a) { const float x = (float)a; return T((float)(expression)); }
#define HIPPORT_SMALL_FUNCTION(T, T2, name, expression)                                                         \
  HIPPORT_SMALL_ONE(T, h##name, expression)                                                                     \
  HIPPORT_INLINE T2 h2##name(T2 a) { return T2{h##name(a.x), h##name(a.y)}; }
#define HIPPORT_SMALL_COMPARE(T, T2, name, op)                                                                  \
  HIPPORT_INLINE bool __h##name(T a, T b) { return (float)a op (float)b; }                                      \
  HIPPORT_INLINE bool __h##name##u(T a, T b) { return (float)a != (float)a || (float)b != (float)b || (float)a op (float)b; } \
  HIPPORT_INLINE T2 __h##name##2(T2 a, T2 b) { return T2{T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)}; } \
  HIPPORT_INLINE bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }          \
  HIPPORT_INLINE unsigned __h##name##2_mask(T2 a, T2 b) { return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); } \
  HIPPORT_INLINE bool operator op(const T &a, const T &b) { return __h##name(a, b); }                           \
  HIPPORT_INLINE bool operator op(const T2 &a, const T2 &b) { return __hb##name##2(a, b); }
#define HIPPORT_SMALL_OPERATOR(T, T2, op, name)                                                                 \
  HIPPORT_INLINE T operator op(const T &a, const T &b) { return name(a, b); }                                   \
  HIPPORT_INLINE T &operator op##=(T &a, const T &b) { return a = name(a, b); }                                 \
  HIPPORT_INLINE T2 operator op(const T2 &a, const T2 &b) { return name##2(a, b); }                             \
  HIPPORT_INLINE T2 &operator op##=(T2 &a, const T2 &b) { return a = name##2(a, b); }

#define HIPPORT_SMALL_FLOAT(T, T2)                                                                              \
  HIPPORT_SMALL_TWO(T, T2, __hadd, x + y)                                                                       \
  HIPPORT_SMALL_TWO(T, T2, __hsub, x - y)                                                                       \
  HIPPORT_SMALL_TWO(T, T2, __hmul, x * y)                                                                       \
  HIPPORT_SMALL_TWO(T, T2, __hadd_rn, x + y)                                                                    \
  HIPPORT_SMALL_TWO(T, T2, __hsub_rn, x - y)                                                                    \
  HIPPORT_SMALL_TWO(T, T2, __hmul_rn, x * y)                                                                    \
  HIPPORT_SMALL_TWO(T, T2, __hadd_sat, __saturatef(x + y))                                                      \
  HIPPORT_SMALL_TWO(T, T2, __hsub_sat, __saturatef(x - y))                                                      \
  HIPPORT_SMALL_TWO(T, T2, __hmul_sat, __saturatef(x * y))                                                      \
  HIPPORT_SMALL_TWO(T, T2, __hmin, fminf(x, y))                                                                 \
  HIPPORT_SMALL_TWO(T, T2, __hmax, fmaxf(x, y))                                                                 \
  HIPPORT_SMALL_TWO(T, T2, __hmin_nan, x != x || y != y ? NAN : fminf(x, y))                                    \
  HIPPORT_SMALL_TWO(T, T2, __hmax_nan, x != x || y != y ? NAN : fmaxf(x, y))                                    \
  HIPPORT_INLINE T __hdiv(T a, T b) { return T((float)a / (float)b); }                                          \
  HIPPORT_INLINE T2 __h2div(T2 a, T2 b) { return T2{__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }                      \
  HIPPORT_INLINE T2 __hdiv2(T2 a, T2 b) { return __h2div(a, b); }                                               \
  HIPPORT_INLINE T __hfma(T a, T b, T c) { return T((double)(float)a * (double)(float)b + (double)(float)c); }  \
  HIPPORT_INLINE T __hfma_relu(T a, T b, T c) { return T(fmaxf((float)__hfma(a, b, c), 0.0f)); }                \
  HIPPORT_INLINE T __hfma_sat(T a, T b, T c) { return T(__saturatef((float)__hfma(a, b, c))); }                 \
  HIPPORT_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return T2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }      \
  HIPPORT_INLINE T2 __hfma2_relu(T2 a, T2 b, T2 c) { return T2{__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; } \
  HIPPORT_INLINE T __hneg(T a) { a.__x ^= 0x8000; return a; }                                                   \
  HIPPORT_INLINE T __habs(T a) { a.__x &= 0x7fff; return a; }                                                   \
  HIPPORT_INLINE T2 __hneg2(T2 a) { return T2{__hneg(a.x), __hneg(a.y)}; }                                      \
  HIPPORT_INLINE T2 __habs2(T2 a) { return T2{__habs(a.x), __habs(a.y)}; }                                      \
  HIPPORT_INLINE bool __hisnan(T a) { return (float)a != (float)a; }                                            \
  HIPPORT_INLINE int __hisinf(T a) { return std::isinf((float)a) ? ((float)a < 0 ? -1 : 1) : 0; }               \
  HIPPORT_SMALL_FUNCTION(T, T2, sqrt, std::sqrt(x))                                                             \
  HIPPORT_SMALL_FUNCTION(T, T2, rsqrt, rsqrtf(x))                                                               \
  HIPPORT_SMALL_FUNCTION(T, T2, rcp, 1.0f / x)                                                                  \
  HIPPORT_SMALL_FUNCTION(T, T2, exp, expf(x))                                                                   \
  HIPPORT_SMALL_FUNCTION(T, T2, exp2, exp2f(x))                                                                 \
  HIPPORT_SMALL_FUNCTION(T, T2, exp10, powf(10.0f, x))                                                          \
  HIPPORT_SMALL_FUNCTION(T, T2, log, logf(x))                                                                   \
  HIPPORT_SMALL_FUNCTION(T, T2, log2, log2f(x))                                                                 \
  HIPPORT_SMALL_FUNCTION(T, T2, log10, log10f(x))                                                               \
  HIPPORT_SMALL_FUNCTION(T, T2, sin, sinf(x))                                                                   \
  HIPPORT_SMALL_FUNCTION(T, T2, cos, cosf(x))                                                                   \
  HIPPORT_SMALL_FUNCTION(T, T2, tanh, tanhf(x))                                                                 \
  HIPPORT_SMALL_FUNCTION(T, T2, floor, std::floor(x))                                                           \
  HIPPORT_SMALL_FUNCTION(T, T2, ceil, std::ceil(x))                                                             \
  HIPPORT_SMALL_FUNCTION(T, T2, trunc, std::trunc(x))                                                           \
  HIPPORT_SMALL_FUNCTION(T, T2, rint, std::nearbyint(x))                                                        \
  HIPPORT_SMALL_COMPARE(T, T2, eq, ==)                                                                          \
  HIPPORT_SMALL_COMPARE(T, T2, ne, !=)                                                                          \
  HIPPORT_SMALL_COMPARE(T, T2, lt, <)                                                                           \
  HIPPORT_SMALL_COMPARE(T, T2, le, <=)                                                                          \
  HIPPORT_SMALL_COMPARE(T, T2, gt, >)                                                                           \
  HIPPORT_SMALL_COMPARE(T, T2, ge, >=)                                                                          \
  HIPPORT_SMALL_OPERATOR(T, T2, +, __hadd)                                                                      \
  HIPPORT_SMALL_OPERATOR(T, T2, -, __hsub)                                                                      \
  HIPPORT_SMALL_OPERATOR(T, T2, *, __hmul)                                                                      \
  HIPPORT_SMALL_OPERATOR(T, T2, /, __hdiv)                                                                      \
  HIPPORT_INLINE T operator-(const T &a) { return __hneg(a); }                                                  \
  HIPPORT_INLINE T2 operator-(const T2 &a) { return __hneg2(a); }                                               \
  HIPPORT_INLINE T atomicAdd(T *at, T value) { return ::hipport_wave::atomic_change((volatile T *)at, [=](T old) { return __hadd(old, value); }); } \
  HIPPORT_INLINE T2 atomicAdd(T2 *at, T2 value) { return ::hipport_wave::atomic_change((volatile T2 *)at, [=](T2 old) { return __hadd2(old, value); }); }

namespace hipport_wave {
// Rounds a double once to a format of `mantissa` stored bits and exponent bias `bias`, in 16 bits, ties to even.
HIPPORT_INLINE uint16_t to_small(double value, int mantissa, int bias) {
  const uint64_t bits = same_bits<uint64_t>(value);
  const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  const int top = (1 << (15 - mantissa)) - 1;
  const uint16_t infinite = (uint16_t)(top << mantissa);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffffull;
  if (exponent == 0x7ff) return fraction ? (uint16_t)(mantissa == 10 ? 0x7fff : 0x7fff) : (uint16_t)(sign | infinite);
  if (exponent == 0) return sign;
  exponent += bias - 1023;
  fraction |= 1ull << 52;
  int drop = 52 - mantissa;
  if (exponent <= 0) {
    drop += 1 - exponent;
    exponent = 0;
    if (drop > 54) return sign;
  }
  const uint64_t half = 1ull << (drop - 1), rest = fraction & ((1ull << drop) - 1);
  uint64_t kept = fraction >> drop;
  if (rest > half || (rest == half && (kept & 1))) kept++;
  const uint64_t made = exponent == 0 ? kept : ((uint64_t)(exponent - 1) << mantissa) + kept;
  return (uint16_t)(sign | (made >= infinite ? infinite : made));
}
// Toward zero, and by sign: -1 down, +1 up.
HIPPORT_INLINE uint16_t directed(double value, int mantissa, int bias, int way, float (*back)(uint16_t)) {
  uint16_t near = to_small(value, mantissa, bias);
  const double got = back(near);
  if (value != value || got == value) return near;
  const bool too_big = got > value;
  if (way == 0 ? std::fabs(got) < std::fabs(value) : way < 0 ? !too_big : too_big) return near;
  if ((near & 0x7fff) == 0) return way == 0 ? near : (uint16_t)(way > 0 ? 0x0001 : 0x8001);
  const bool negative = near & 0x8000, larger = way == 0 ? negative : way > 0;
  return (uint16_t)(larger != negative ? near + 1 : near - 1);
}
inline float half_value(uint16_t h) {
  const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
  if (exponent == 31) return same_bits<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 5.9604644775390625e-8f;
  return same_bits<float>(sign | (exponent + 112) << 23 | fraction << 13);
}
inline float bfloat_value(uint16_t b) { return same_bits<float>((uint32_t)b << 16); }
}  // namespace hipport_wave

#endif
