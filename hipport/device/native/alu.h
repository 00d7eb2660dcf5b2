/* One lane's arithmetic where C has no operator for it. Semantics: AMD CDNA3 ISA reference, chapter 12. */
#ifndef HIPPORT_ALU_H
#define HIPPORT_ALU_H

#include "wave.h"
#include <math.h>

static inline f32 F(u32 x) { f32 f; memcpy(&f, &x, 4); return f; }
static inline u32 UF(f32 f) { u32 x; memcpy(&x, &f, 4); return x; }
static inline f64 DF(u64 x) { f64 f; memcpy(&f, &x, 8); return f; }
static inline u64 UD(f64 f) { u64 x; memcpy(&x, &f, 8); return x; }
static inline f16 H(u32 x) { u16 y = (u16)x; f16 f; memcpy(&f, &y, 2); return f; }
static inline u32 UH(f16 f) { u16 x; memcpy(&x, &f, 2); return x; }
static inline f32 B(u32 x) { return F(x << 16); }
static inline u32 UB(f32 f) { /* to bf16, nearest even */
  u32 x = UF(f);
  if ((x & 0x7fffffffu) > 0x7f800000u) return (x >> 16 | 0x40u) & 0xffffu;
  return (x + 0x7fffu + (x >> 16 & 1u)) >> 16;
}

/* Denormal modes: bit 0 of a field lets inputs pass, bit 1 results. Only modal modules call these. */
static inline f32 flush32(f32 f, u32 keep) {
  u32 x = UF(f);
  return !keep && !(x & 0x7f800000u) ? F(x & 0x80000000u) : f;
}

static inline u32 bfe32(u32 a, u32 o, u32 n) {
  o &= 31; n &= 31;
  return (a >> o) & ((1u << n) - 1);
}
static inline i32 bfe32i(u32 a, u32 o, u32 n) {
  o &= 31; n &= 31;
  if (!n) return 0;
  return o + n < 32 ? (i32)(a << (32 - o - n)) >> (32 - n) : (i32)a >> o;
}
static inline u32 reverse32(u32 x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
static inline u64 reverse64(u64 x) { return (u64)reverse32((u32)x) << 32 | reverse32((u32)(x >> 32)); }
static inline u32 popcount32(u32 x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
static inline u32 permute_bytes(u32 high, u32 low, u32 select) {
  u64 c = (u64)high << 32 | low;
  u32 r = 0;
  for (int i = 0; i < 4; i++) {
    u32 k = select >> 8 * i & 255, x;
    if (k < 8) x = c >> 8 * k & 255;
    else if (k < 12) x = (c >> (16 * (k - 8) + 15) & 1) * 255;
    else x = k == 12 ? 0 : 255;
    r |= x << 8 * i;
  }
  return r;
}
/* v_bitop3: bit i of the table is the result where the three bits spell i. */
static inline u32 bitop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (u32 i = 0; i < 8; i++)
    if (table >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}
static inline u32 sad8(u32 a, u32 b) {
  u32 s = 0;
  for (int i = 0; i < 32; i += 8) {
    i32 d = (i32)(a >> i & 255) - (i32)(b >> i & 255);
    s += (u32)(d < 0 ? -d : d);
  }
  return s;
}
static inline u32 masked_sad8(u32 a, u32 b) {
  u32 s = 0;
  for (int i = 0; i < 32; i += 8) {
    i32 d = (i32)(a >> i & 255) - (i32)(b >> i & 255);
    if (b >> i & 255) s += (u32)(d < 0 ? -d : d);
  }
  return s;
}
static inline u32 lerp8(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 32; i += 8) r |= (((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 & 255) << i;
  return r;
}

#define MINMAX(T)                                                      \
  static inline T min_##T(T a, T b) { return a < b ? a : b; }          \
  static inline T max_##T(T a, T b) { return a > b ? a : b; }          \
  static inline T med_##T(T a, T b, T c) { return max_##T(min_##T(a, b), min_##T(max_##T(a, b), c)); }
MINMAX(u16) MINMAX(i16) MINMAX(u32) MINMAX(i32) MINMAX(u64) MINMAX(i64)
#undef MINMAX

/* minNum and maxNum with -0 < +0: a quiet NaN loses against a number, a signalling one gives a quiet NaN (IEEE mode). */
#define FMINMAX(T, BITS, SIGN, QUIET)                                                                  \
  static inline int signals_##T(T a) { return (a != a) & !(BITS(a) & QUIET); }                         \
  static inline T fmin_##T(T a, T b) {                                                                 \
    T r = (a < b) | ((a == b) & ((BITS(a) & SIGN) != 0)) ? a : b;                                      \
    r = b != b ? a : r;                                                                                \
    r = a != a ? b : r;                                                                                \
    return signals_##T(a) | signals_##T(b) ? a + b : r;                                                \
  }                                                                                                    \
  static inline T fmax_##T(T a, T b) {                                                                 \
    T r = (a > b) | ((a == b) & !(BITS(a) & SIGN)) ? a : b;                                            \
    r = b != b ? a : r;                                                                                \
    r = a != a ? b : r;                                                                                \
    return signals_##T(a) | signals_##T(b) ? a + b : r;                                                \
  }                                                                                                    \
  static inline T fmed_##T(T a, T b, T c) {                                                            \
    if (a != a || b != b || c != c) return fmin_##T(fmin_##T(a, b), c);                                \
    return fmax_##T(fmin_##T(a, b), fmin_##T(fmax_##T(a, b), c));                                      \
  }                                                                                                    \
  static inline T fclamp_##T(T a) { return a > (T)0 ? (a < (T)1 ? a : (T)1) : (T)0; }
FMINMAX(f32, UF, 0x80000000u, 0x400000u)
FMINMAX(f64, UD, 0x8000000000000000ull, 0x8000000000000ull)
FMINMAX(f16, UH, 0x8000u, 0x200u)
#undef FMINMAX

/* IEEE-754-2019 minimum and maximum: a NaN wins. */
#define FMINIMUM(T)                                                                                    \
  static inline T fminimum_##T(T a, T b) { return a != a || b != b ? a + b : fmin_##T(a, b); }         \
  static inline T fmaximum_##T(T a, T b) { return a != a || b != b ? a + b : fmax_##T(a, b); }
FMINIMUM(f32) FMINIMUM(f16) FMINIMUM(f64)
#undef FMINIMUM

/* v_cmp_class: bits 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf. */
static inline u32 class_bits(u32 negative, u32 exponent_zero, u32 exponent_ones, u32 mantissa_zero, u32 quiet) {
  if (exponent_ones) return mantissa_zero ? (negative ? 4u : 512u) : quiet ? 2u : 1u;
  if (exponent_zero) return mantissa_zero ? (negative ? 32u : 64u) : negative ? 16u : 128u;
  return negative ? 8u : 256u;
}
static inline u32 class32(u32 x) {
  return class_bits(x >> 31, !(x & 0x7f800000u), (x & 0x7f800000u) == 0x7f800000u, !(x & 0x7fffffu), x >> 22 & 1);
}
static inline u32 class64(u64 x) {
  return class_bits((u32)(x >> 63), !(x >> 52 & 0x7ff), (x >> 52 & 0x7ff) == 0x7ff, !(x << 12), (u32)(x >> 51 & 1));
}
static inline u32 class16(u32 x) {
  return class_bits(x >> 15 & 1, !(x & 0x7c00u), (x & 0x7c00u) == 0x7c00u, !(x & 0x3ffu), x >> 9 & 1);
}

/* Conversions that saturate, and give 0 for NaN. */
static inline u32 to_u32(f64 x) { return x > 0 ? (x >= 4294967295.0 ? 0xffffffffu : (u32)x) : 0; }
static inline i32 to_i32(f64 x) {
  if (x != x) return 0;
  return x >= 2147483647.0 ? 0x7fffffff : x <= -2147483648.0 ? (i32)0x80000000 : (i32)x;
}
static inline u16 to_u16(f32 x) { return x > 0 ? (x >= 65535.f ? 0xffff : (u16)x) : 0; }
static inline i16 to_i16(f32 x) {
  if (x != x) return 0;
  return x >= 32767.f ? 0x7fff : x <= -32768.f ? (i16)-32768 : (i16)x;
}
static inline u32 byte_of(f32 x) { return x > 0 ? (x >= 255.f ? 255u : (u32)rintf(x)) : 0; }
static inline u32 norm_i16(f32 x) { x = x != x ? 0 : x < -1 ? -1 : x > 1 ? 1 : x; return (u16)(i16)rintf(x * 32767.f); }
static inline u32 norm_u16(f32 x) { x = x > 0 ? (x > 1 ? 1 : x) : 0; return (u16)rintf(x * 65535.f); }

/* Truncating f32 -> f16 (v_cvt_pkrtz). */
static inline u32 truncate_f16(f32 f) {
  u32 x = UF(f), sign = x >> 16 & 0x8000u, e = x >> 23 & 255, m = x & 0x7fffffu;
  if (e == 255) return sign | 0x7c00u | (m ? 0x200u | m >> 13 : 0);
  if (e > 142) return sign | 0x7bffu;
  if (e > 112) return sign | (e - 112) << 10 | m >> 13;
  return e < 102 ? sign : sign | (m | 0x800000u) >> (126 - e);
}

static inline f32 fract_f32(f32 x) { f32 r = x - floorf(x); return r < 1.f ? r : isnan(r) ? r : 0x1.fffffep-1f; }
static inline f64 fract_f64(f64 x) { f64 r = x - floor(x); return r < 1. ? r : isnan(r) ? r : 0x1.fffffffffffffp-1; }
static inline f16 fract_f16(f16 x) {
  f16 r = (f16)((f32)x - floorf((f32)x));
  return r < (f16)1.f || r != r ? r : (f16)0x1.ffcp-1f;
}

static inline i32 frexp_exponent_f32(f32 x) { int e = 0; if (isfinite(x) && x != 0) frexpf(x, &e); return e; }
static inline i32 frexp_exponent_f64(f64 x) { int e = 0; if (isfinite(x) && x != 0) frexp(x, &e); return e; }
static inline f32 frexp_mantissa_f32(f32 x) { int e; return isfinite(x) ? frexpf(x, &e) : x; }
static inline f64 frexp_mantissa_f64(f64 x) { int e; return isfinite(x) ? frexp(x, &e) : x; }
static inline f32 ldexp32(f32 x, i32 e) { return ldexpf(x, e < -400 ? -400 : e > 400 ? 400 : e); }
static inline f64 ldexp64(f64 x, i32 e) { return ldexp(x, e < -3000 ? -3000 : e > 3000 ? 3000 : e); }
static inline f16 fma16(f16 a, f16 b, f16 c) { return (f16)((f64)a * (f64)b + (f64)c); }

/* v_div_fmas where VCC is set: takes back what v_div_scale did, which is 2^64 (2^128) on the denominator of a huge
   quotient, or on the numerator of a tiny one. The document's text multiplies by 2^32 (2^64) in either case, with which no
   such quotient would be right; the exponent of the quotient's estimate S2 tells the two apart. */
static inline f32 unscaled_f32(f32 a, f32 b, f32 c) {
  return (f32)(((f64)a * (f64)b + (f64)c) * ((UF(c) >> 23 & 255u) > 127u ? 0x1p64 : 0x1p-64));
}
static inline f64 unscaled_f64(f64 t, f64 c) { return t * ((UD(c) >> 52 & 2047u) > 1023u ? 0x1p128 : 0x1p-128); }

f64 trig_preop(f64 x, u32 segment);
f32 sine_of_turns(f32 x);
f32 cosine_of_turns(f32 x);
u32 div_scale_f32(f32 s0, f32 s1, f32 s2, u32 *scaled);
u64 div_scale_f64(f64 s0, f64 s1, f64 s2, u32 *scaled);
f32 div_fixup_f32(f32 q, f32 denominator, f32 numerator);
f64 div_fixup_f64(f64 q, f64 denominator, f64 numerator);
f16 div_fixup_f16(f16 q, f16 denominator, f16 numerator);
u32 cube_face(f32 x, f32 y, f32 z, u32 what);

#endif
