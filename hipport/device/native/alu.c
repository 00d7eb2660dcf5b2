/* The arithmetic that is too long for a header. */
#include "alu.h"

/* 2/pi to 1201 bits, most significant first (the constant of v_trig_preop_f64). */
static const u64 TWO_OVER_PI[20] = {
#include "two_over_pi.inc"
};

static u64 two_over_pi_bits(u32 first) { /* 53 bits from bit `first` below the point */
  u64 r = 0;
  for (u32 i = 0; i < 53; i++) {
    u32 bit = first + i;
    r = r << 1 | (bit < 1201 ? TWO_OVER_PI[bit >> 6] >> (63 - (bit & 63)) & 1 : 0);
  }
  return r;
}

f64 trig_preop(f64 x, u32 segment) {
  u32 exponent = (u32)(UD(x) >> 52 & 0x7ff);
  u32 shift = (segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  int scale = -53 - (int)shift + (exponent >= 1968 ? 128 : 0);
  return ldexp((f64)two_over_pi_bits(shift), scale);
}

/* The machine's own range is +-256 turns; beyond it the result is 0 or 1. */
f32 sine_of_turns(f32 x) {
  if (isinf(x)) return NAN;
  f64 t = (f64)x - floor((f64)x);
  return (f32)sin(6.283185307179586476925 * t);
}
f32 cosine_of_turns(f32 x) {
  if (isinf(x)) return NAN;
  f64 t = (f64)x - floor((f64)x);
  return (f32)cos(6.283185307179586476925 * t);
}

static int exponent32(f32 x) { return (int)(UF(x) >> 23 & 255); }
static int exponent64(f64 x) { return (int)(UD(x) >> 52 & 2047); }
static int denormal32(f32 x) { return x != 0 && !(UF(x) & 0x7f800000u); }
static int denormal64(f64 x) { return x != 0 && !(UD(x) >> 52 & 2047); }

u32 div_scale_f32(f32 s0, f32 s1, f32 s2, u32 *scaled) {
  *scaled = 0;
  if (s2 == 0 || s1 == 0) return 0x7fc00000u;
  if (exponent32(s2) - exponent32(s1) >= 96) {
    *scaled = 1;
    return UF(s0 == s1 ? ldexpf(s0, 64) : s0);
  }
  if (denormal32(s1)) return UF(ldexpf(s0, 64));
  int inverse = denormal64(1.0 / (f64)s1), quotient = denormal32(s2 / s1);
  if (inverse && quotient) {
    *scaled = 1;
    return UF(s0 == s1 ? ldexpf(s0, 64) : s0);
  }
  if (inverse) return UF(ldexpf(s0, -64));
  if (quotient) {
    *scaled = 1;
    return UF(s0 == s2 ? ldexpf(s0, 64) : s0);
  }
  return UF(exponent32(s2) <= 23 ? ldexpf(s0, 64) : s0);
}

u64 div_scale_f64(f64 s0, f64 s1, f64 s2, u32 *scaled) {
  *scaled = 0;
  if (s2 == 0 || s1 == 0) return 0x7ff8000000000000ull;
  if (exponent64(s2) - exponent64(s1) >= 768) {
    *scaled = 1;
    return UD(s0 == s1 ? ldexp(s0, 128) : s0);
  }
  if (denormal64(s1)) return UD(ldexp(s0, 128));
  int inverse = denormal64(1.0 / s1), quotient = denormal64(s2 / s1);
  if (inverse && quotient) { /* down: the text scales up, which leaves the range */
    *scaled = 1;
    return UD(s0 == s1 ? ldexp(s0, -128) : s0);
  }
  if (inverse) return UD(ldexp(s0, -128));
  if (quotient) {
    *scaled = 1;
    return UD(s0 == s2 ? ldexp(s0, 128) : s0);
  }
  return UD(exponent64(s2) <= 53 ? ldexp(s0, 128) : s0);
}

#define FIXUP(T, NAME, SIGNBIT, ABS, EXPONENT, TOP, LOWEST, UNDERFLOW_VALUE, OVERFLOW_VALUE)          \
  T NAME(T q, T denominator, T numerator) {                                                           \
    int negative = !!SIGNBIT(denominator) ^ !!SIGNBIT(numerator);                                     \
    T zero = negative ? -(T)0 : (T)0, infinity = negative ? -(T)INFINITY : (T)INFINITY;               \
    if (numerator != numerator) return numerator + numerator;                                         \
    if (denominator != denominator) return denominator + denominator;                                 \
    if (denominator == 0 && numerator == 0) return (T)-NAN;                                           \
    if (isinf((f64)denominator) && isinf((f64)numerator)) return (T)-NAN;                             \
    if (denominator == 0 || isinf((f64)numerator)) return infinity;                                   \
    if (isinf((f64)denominator) || numerator == 0) return zero;                                       \
    if (EXPONENT(numerator) - EXPONENT(denominator) < LOWEST) return negative ? -UNDERFLOW_VALUE : UNDERFLOW_VALUE; \
    if (EXPONENT(denominator) == TOP) return negative ? -OVERFLOW_VALUE : OVERFLOW_VALUE;             \
    if (q != q) return infinity; /* the estimate of what is out of range; the text does not say so */  \
    return negative ? -ABS(q) : ABS(q);                                                               \
  }
static int sign32(f32 x) { return (int)(UF(x) >> 31); }
static int sign64(f64 x) { return (int)(UD(x) >> 63); }
FIXUP(f32, div_fixup_f32, sign32, fabsf, exponent32, 255, -150, 0.f, INFINITY)
FIXUP(f64, div_fixup_f64, sign64, fabs, exponent64, 2047, -1075, 0., INFINITY)

f16 div_fixup_f16(f16 q, f16 denominator, f16 numerator) {
  u32 negative = (UH(denominator) ^ UH(numerator)) & 0x8000u;
  if (numerator != numerator) return numerator + numerator;
  if (denominator != denominator) return denominator + denominator;
  int d_zero = denominator == 0, n_zero = numerator == 0;
  int d_infinite = (UH(denominator) & 0x7fffu) == 0x7c00u, n_infinite = (UH(numerator) & 0x7fffu) == 0x7c00u;
  if ((d_zero && n_zero) || (d_infinite && n_infinite)) return H(0xfe00u);
  if (d_zero || n_infinite) return H(negative | 0x7c00u);
  if (d_infinite || n_zero) return H(negative);
  return H(negative | (UH(q) & 0x7fffu));
}

/* v_cubeid, v_cubesc, v_cubetc, v_cubema: `what` 0 to 3. */
u32 cube_face(f32 x, f32 y, f32 z, u32 what) {
  f32 ax = fabsf(x), ay = fabsf(y), az = fabsf(z), face, sc, tc, ma;
  if (az >= ax && az >= ay) { face = z < 0 ? 5 : 4; sc = z < 0 ? -x : x; tc = -y; ma = 2 * z; }
  else if (ay >= ax) { face = y < 0 ? 3 : 2; sc = x; tc = y < 0 ? -z : z; ma = 2 * y; }
  else { face = x < 0 ? 1 : 0; sc = x < 0 ? z : -z; tc = -y; ma = 2 * x; }
  return UF(what == 0 ? face : what == 1 ? sc : what == 2 ? tc : ma);
}
