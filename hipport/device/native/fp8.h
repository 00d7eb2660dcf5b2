/* Eight-bit floats. FP8_OCP is 1 where the machine computes in the OCP formats (gfx950), 0 where in FNUZ (gfx942).
   Formats: OCP 8-bit Floating Point Specification 1.0; HIP's fp8_numbers.rst. What the conversions do with values
   out of range, infinities and NaNs: ROCm 7.2 amd_hip_fp8.h without saturation; with MODE.FP16_OVFL (bit 23) a finite
   value out of range becomes the largest one. The rest: AMD CDNA3 ISA reference, V_CVT_PK_FP8_F32, V_CVT_SR_FP8_F32. */
#ifndef HIPPORT_FP8_H
#define HIPPORT_FP8_H

#include "alu.h"
#include "wave.h"

#ifndef FP8_OCP
#define FP8_OCP 0
#endif
#define E4M3_BIAS (FP8_OCP ? 7 : 8)
#define E5M2_BIAS (FP8_OCP ? 15 : 16)

static inline f32 float8_value(u32 code, int bits, int bias) {
  const u32 exponent = (code & 0x7f) >> bits, fraction = code & ((1u << bits) - 1);
  const f32 size = exponent ? ldexpf((f32)(fraction + (1u << bits)), (int)exponent - bias - bits)
                            : ldexpf((f32)fraction, 1 - bias - bits);
  return code & 0x80 ? -size : size;
}
static inline f32 e4m3_to_f32(u32 code) {
  if (FP8_OCP ? (code & 0x7f) == 0x7f : code == 0x80) return NAN;
  return float8_value(code, 3, E4M3_BIAS);
}
static inline f32 e5m2_to_f32(u32 code) {
  if (FP8_OCP && (code & 0x7c) == 0x7c) return code & 3 ? NAN : code & 0x80 ? -INFINITY : INFINITY;
  if (!FP8_OCP && code == 0x80) return NAN;
  return float8_value(code, 2, E5M2_BIAS);
}

/* To the nearest, ties to even; `most` is the largest finite code, `over` that of what is larger, `nan` of a NaN. */
static inline u32 float8_code(const struct wave *w, f32 x, int bits, int bias, u32 most, u32 over, u32 infinite, u32 nan) {
  const u32 raw = UF(x) & 0x7fffffffu, sign = UF(x) >> 24 & 0x80;
  const u32 kept = FP8_OCP ? sign : 0;
  if (raw > 0x7f800000u) return kept | nan;
  if (raw == 0x7f800000u) return kept | infinite;
  int exponent = (int)(raw >> 23) - 127;
  if (exponent < 1 - bias) exponent = 1 - bias;
  const f32 steps = rintf(ldexpf(F(raw), bits - exponent));
  const u32 code = (u32)steps + ((u32)(exponent + bias - 1) << bits);
  if (code > most) return w->mode >> 23 & 1 ? sign | most : kept | over;
  return code || FP8_OCP ? sign | code : 0;
}
static inline u32 f32_to_e4m3(const struct wave *w, f32 x) {
  return FP8_OCP ? float8_code(w, x, 3, 7, 0x7e, 0x7f, 0x7f, 0x7f) : float8_code(w, x, 3, 8, 0x7f, 0x80, 0x80, 0x80);
}
static inline u32 f32_to_e5m2(const struct wave *w, f32 x) {
  return FP8_OCP ? float8_code(w, x, 2, 15, 0x7b, 0x7c, 0x7c, 0x7f) : float8_code(w, x, 2, 16, 0x7f, 0x80, 0x80, 0x80);
}

/* v_cvt_sr: what is added to the fraction wraps around within its 23 bits. */
static inline f32 dithered(f32 x, u32 random) { return F((UF(x) & 0xff800000u) | ((UF(x) + random) & 0x7fffffu)); }
static inline u32 with_byte(u32 old, u32 place, u32 byte) { return (old & ~(255u << 8 * place)) | byte << 8 * place; }

#endif
