namespace hipport {
// Halves and bfloat16 in the integer registers of PTX: bits to values, arithmetic, and back, to the nearest.
typedef _Float16 half2_t __attribute__((ext_vector_type(2)));
__device__ inline _Float16 half_value(unsigned short bits) { return __builtin_bit_cast(_Float16, bits); }
__device__ inline unsigned half_bits(float value) { return __builtin_bit_cast(unsigned short, (_Float16)value); }
__device__ inline half2_t half2_value(unsigned bits) { return __builtin_bit_cast(half2_t, bits); }
__device__ inline unsigned half2_bits(half2_t value) { return __builtin_bit_cast(unsigned, value); }
template <class F>
__device__ inline unsigned each_half(unsigned bits, F of) {
  return half_bits(of((float)half_value((unsigned short)bits))) | half_bits(of((float)half_value((unsigned short)(bits >> 16)))) << 16;
}
// Never fused with what comes before or after: .rn of PTX forbids it.
template <class T>
__device__ inline T plus(T a, T b) {
#pragma clang fp contract(off)
  return a + b;
}
template <class T>
__device__ inline T minus(T a, T b) {
#pragma clang fp contract(off)
  return a - b;
}
template <class T>
__device__ inline T times(T a, T b) {
#pragma clang fp contract(off)
  return a * b;
}
template <class F>
__device__ inline unsigned each_half(unsigned a, unsigned b, F of) {
  const float low = of((float)half_value((unsigned short)a), (float)half_value((unsigned short)b));
  const float high = of((float)half_value((unsigned short)(a >> 16)), (float)half_value((unsigned short)(b >> 16)));
  return half_bits(low) | half_bits(high) << 16;
}
__device__ inline float relu(float x) { return x < 0.0f ? 0.0f : x; }
__device__ inline _Float16 relu(_Float16 x) { return x > (_Float16)0 || x != x ? x : (_Float16)0; }
__device__ inline half2_t relu(half2_t x) { return half2_t{relu(x.x), relu(x.y)}; }
__device__ inline unsigned bfloat_bits(float value) {
  const unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}
__device__ inline unsigned bfloat_bits_rz(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : bits >> 16;
}
__device__ inline float bfloat_value(unsigned bits) { return __uint_as_float(bits << 16); }
__device__ inline float f16_value(unsigned short bits) { return (float)half_value(bits); }
__device__ inline float bf16_value(unsigned short bits) { return bfloat_value(bits); }
template <class F>
__device__ inline unsigned each_bfloat(unsigned bits, F of) {
  return bfloat_bits(of(bfloat_value(bits & 0xffffu))) | bfloat_bits(of(bfloat_value(bits >> 16))) << 16;
}
template <class F>
__device__ inline unsigned each_bfloat(unsigned a, unsigned b, F of) {
  return bfloat_bits(of(bfloat_value(a & 0xffffu), bfloat_value(b & 0xffffu))) | bfloat_bits(of(bfloat_value(a >> 16), bfloat_value(b >> 16))) << 16;
}
__device__ inline unsigned bfloat_relu(unsigned bits) { return bits & 0x8000u && (bits & 0x7fffu) <= 0x7f80u ? 0u : bits; }
__device__ inline unsigned bfloat2_relu(unsigned bits) { return bfloat_relu(bits & 0xffffu) | bfloat_relu(bits >> 16) << 16; }
// The sum of an exact product of bfloat16 and a third, rounded to odd in double and then once: a fused result.
__device__ inline unsigned bfloat_fma(unsigned a, unsigned b, unsigned c) {
  const double product = (double)bfloat_value(a) * bfloat_value(b), term = bfloat_value(c), sum = product + term;
  const double part = sum - product, error = (product - (sum - part)) + (term - part);
  unsigned long long bits = (unsigned long long)__double_as_longlong(sum);
  const bool finite = (bits >> 52 & 0x7ffu) != 0x7ffu;
  if (finite && error != 0 && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : -1;
  const double exact = __longlong_as_double((long long)bits);
  const float near = (float)exact;
  unsigned odd = __float_as_uint(near);
  if (finite && (double)near != exact && !(odd & 1u) && (odd & 0x7f800000u) != 0x7f800000u)
    odd += ((double)near < exact) == (near > 0 || (near == 0 && exact > 0)) ? 1u : -1u;
  return bfloat_bits(__uint_as_float(odd));
}
__device__ inline unsigned bfloat2_fma(unsigned a, unsigned b, unsigned c) {
  return bfloat_fma(a & 0xffffu, b & 0xffffu, c & 0xffffu) | bfloat_fma(a >> 16, b >> 16, c >> 16) << 16;
}
}  // namespace hipport
