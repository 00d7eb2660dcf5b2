namespace hipport {
// Pairs of OCP 8-bit floats, the first argument in the upper byte, to the nearest and saturating; a NaN stays one.
__device__ inline unsigned float8_code(float x, int fraction, int bias, unsigned most) {
  const unsigned raw = __float_as_uint(x) & 0x7fffffffu, sign = __float_as_uint(x) >> 24 & 0x80u;
  if (raw > 0x7f800000u) return 0x7fu;
  int exponent = (int)(raw >> 23) - 127;
  if (exponent > 127) return sign | most;
  if (exponent < 1 - bias) exponent = 1 - bias;
  const float steps = __builtin_rintf(__builtin_ldexpf(__uint_as_float(raw), fraction - exponent));
  const unsigned code = (unsigned)steps + ((unsigned)(exponent + bias - 1) << fraction);
  return sign | (code < most ? code : most);
}
__device__ inline unsigned short float8x2_e4m3x2(float high, float low) {
  return (unsigned short)(float8_code(high, 3, 7, 0x7eu) << 8 | float8_code(low, 3, 7, 0x7eu));
}
__device__ inline unsigned short float8x2_e5m2x2(float high, float low) {
  return (unsigned short)(float8_code(high, 2, 15, 0x7bu) << 8 | float8_code(low, 2, 15, 0x7bu));
}
// E5M2 is the upper byte of a half; E4M3 has one bit of exponent less and no infinity.
__device__ inline unsigned half_of_e4m3(unsigned code) {
  const unsigned sign = (code & 0x80u) << 8, rest = code & 0x7fu;
  if (rest == 0x7fu) return 0x7fffu;
  if (rest >= 8u) return sign | ((rest << 7) + (8u << 10));
  return sign | __builtin_bit_cast(unsigned short, (_Float16)((float)rest * 0x1p-9f));
}
__device__ inline unsigned half2_e4m3x2(unsigned short codes) { return half_of_e4m3(codes & 255u) | half_of_e4m3(codes >> 8) << 16; }
__device__ inline unsigned half2_e5m2x2(unsigned short codes) {
  const unsigned low = codes & 255u, high = codes >> 8;
  return ((low & 0x7fu) > 0x7cu ? 0x7fffu : low << 8) | ((high & 0x7fu) > 0x7cu ? 0x7fffu : high << 8) << 16;
}
// The same of a pair of halves in one register.
__device__ inline float float8_source(unsigned bits) { return (float)__builtin_bit_cast(_Float16, (unsigned short)bits); }
__device__ inline unsigned short float8x2_of_half2_e4m3x2(unsigned pair) { return float8x2_e4m3x2(float8_source(pair >> 16), float8_source(pair)); }
__device__ inline unsigned short float8x2_of_half2_e5m2x2(unsigned pair) { return float8x2_e5m2x2(float8_source(pair >> 16), float8_source(pair)); }
}  // namespace hipport
