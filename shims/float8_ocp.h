#include <hip/hip_fp8.h>
namespace hipport {
// The 8-bit floats of CUDA, which are OCP's, in device code of every target. In ROCm 7.2 a target that has FNUZ in hardware
// (gfx942) stops at a conversion of an OCP value, and HIP's OCP types have no device members there. To the nearest, ties to
// even; what saturates becomes the largest value, infinities too.
__host__ __device__ inline unsigned float8_bits(float x) { return __builtin_bit_cast(unsigned, x); }
__host__ __device__ inline __hip_fp8_storage_t cvt_float_to_fp8(float x, __hip_saturation_t saturation, __hip_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __HIP_E4M3;
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const unsigned most = e4m3 ? 0x7eu : 0x7bu, over = saturation == __HIP_SATFINITE ? most : most + 1u;
  const unsigned raw = float8_bits(x) & 0x7fffffffu, sign = float8_bits(x) >> 24 & 0x80u;
  if (raw > 0x7f800000u) return 0x7f;
  int exponent = (int)(raw >> 23) - 127;
  if (exponent == 128) return (__hip_fp8_storage_t)(sign | over);
  if (exponent < 1 - bias) exponent = 1 - bias;
  const float steps = __builtin_rintf(__builtin_ldexpf(__builtin_bit_cast(float, raw), fraction - exponent));
  const unsigned code = (unsigned)steps + ((unsigned)(exponent + bias - 1) << fraction);
  return (__hip_fp8_storage_t)(sign | (code > most ? over : code));
}
__host__ __device__ inline float float8_value(__hip_fp8_storage_t code, __hip_fp8_interpretation_t kind) {
  const unsigned rest = code & 0x7fu, fraction = kind == __HIP_E4M3 ? 3 : 2, bias = kind == __HIP_E4M3 ? 7 : 15;
  const unsigned exponent = rest >> fraction, part = rest & ((1u << fraction) - 1u);
  float size = exponent ? __builtin_ldexpf((float)(part + (1u << fraction)), (int)(exponent - bias - fraction))
                        : __builtin_ldexpf((float)part, (int)(1 - bias - fraction));
  if (kind == __HIP_E4M3 ? rest == 0x7fu : rest > 0x7cu) size = __builtin_nanf("");
  if (kind != __HIP_E4M3 && rest == 0x7cu) size = __builtin_inff();
  return code & 0x80u ? -size : size;
}
// A double is first rounded to odd, so that the second rounding is the only one.
__host__ __device__ inline float float8_near(double x) {
  const float near = (float)x;
  const unsigned bits = float8_bits(near);
  if ((double)near == x || (bits & 1u) || (bits & 0x7f800000u) == 0x7f800000u) return near;
  const bool outward = near == 0.0f || (x > 0 ? (double)near < x : (double)near > x);
  return __builtin_bit_cast(float, near == 0.0f ? (x < 0 ? 0x80000001u : 1u) : outward ? bits + 1u : bits - 1u);
}
__host__ __device__ inline float float8_near(float x) { return x; }
__host__ __device__ inline float float8_near(__half x) { return __half2float(x); }
__host__ __device__ inline float float8_near(__hip_bfloat16 x) { return (float)x; }
__host__ __device__ inline __hip_fp8x2_storage_t float8_pair(float low, float high, __hip_saturation_t saturation, __hip_fp8_interpretation_t kind) {
  return (__hip_fp8x2_storage_t)(cvt_float_to_fp8(low, saturation, kind) | cvt_float_to_fp8(high, saturation, kind) << 8);
}
__host__ __device__ inline __hip_fp8_storage_t cvt_double_to_fp8(double x, __hip_saturation_t s, __hip_fp8_interpretation_t k) { return cvt_float_to_fp8(float8_near(x), s, k); }
__host__ __device__ inline __hip_fp8_storage_t cvt_halfraw_to_fp8(__half_raw x, __hip_saturation_t s, __hip_fp8_interpretation_t k) { return cvt_float_to_fp8(__half2float(__half(x)), s, k); }
__host__ __device__ inline __hip_fp8_storage_t cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw x, __hip_saturation_t s, __hip_fp8_interpretation_t k) { return cvt_float_to_fp8((float)__hip_bfloat16(x), s, k); }
__host__ __device__ inline __hip_fp8x2_storage_t cvt_float2_to_fp8x2(float2 x, __hip_saturation_t s, __hip_fp8_interpretation_t k) { return float8_pair(x.x, x.y, s, k); }
__host__ __device__ inline __hip_fp8x2_storage_t cvt_double2_to_fp8x2(double2 x, __hip_saturation_t s, __hip_fp8_interpretation_t k) { return float8_pair(float8_near(x.x), float8_near(x.y), s, k); }
__host__ __device__ inline __hip_fp8x2_storage_t cvt_halfraw2_to_fp8x2(__half2_raw x, __hip_saturation_t s, __hip_fp8_interpretation_t k) {
  const __half2 both(x);
  return float8_pair(__half2float(__low2half(both)), __half2float(__high2half(both)), s, k);
}
__host__ __device__ inline __hip_fp8x2_storage_t cvt_bfloat16raw2_to_fp8x2(__hip_bfloat162_raw x, __hip_saturation_t s, __hip_fp8_interpretation_t k) {
  const __hip_bfloat162 both(x);
  return float8_pair((float)both.x, (float)both.y, s, k);
}
__host__ __device__ inline __half_raw cvt_fp8_to_halfraw(__hip_fp8_storage_t x, __hip_fp8_interpretation_t k) { return __half_raw(__float2half(float8_value(x, k))); }
__host__ __device__ inline __half2_raw cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x, __hip_fp8_interpretation_t k) {
  return __half2_raw(__floats2half2_rn(float8_value((__hip_fp8_storage_t)x, k), float8_value((__hip_fp8_storage_t)(x >> 8), k)));
}
template <__hip_fp8_interpretation_t Kind>
struct float8 {
  __hip_fp8_storage_t __x;
  float8() = default;
  template <class T>
  __host__ __device__ explicit float8(T x) : __x(cvt_float_to_fp8(float8_near(x), __HIP_SATFINITE, Kind)) {}
  __host__ __device__ explicit operator float() const { return float8_value(__x, Kind); }
  __host__ __device__ explicit operator double() const { return float8_value(__x, Kind); }
  __host__ __device__ explicit operator __half() const { return __float2half(float8_value(__x, Kind)); }
  __host__ __device__ explicit operator __hip_bfloat16() const { return __hip_bfloat16(float8_value(__x, Kind)); }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fu) != 0; }
};
template <__hip_fp8_interpretation_t Kind>
struct float8x2 {
  __hip_fp8x2_storage_t __x;
  float8x2() = default;
  __host__ __device__ explicit float8x2(float2 x) : __x(float8_pair(x.x, x.y, __HIP_SATFINITE, Kind)) {}
  __host__ __device__ explicit float8x2(double2 x) : __x(cvt_double2_to_fp8x2(x, __HIP_SATFINITE, Kind)) {}
  __host__ __device__ explicit float8x2(__half2 x) : __x(float8_pair(__half2float(__low2half(x)), __half2float(__high2half(x)), __HIP_SATFINITE, Kind)) {}
  __host__ __device__ explicit float8x2(__hip_bfloat162 x) : __x(float8_pair((float)x.x, (float)x.y, __HIP_SATFINITE, Kind)) {}
  __host__ __device__ explicit operator float2() const { return make_float2(float8_value((__hip_fp8_storage_t)__x, Kind), float8_value((__hip_fp8_storage_t)(__x >> 8), Kind)); }
  __host__ __device__ explicit operator __half2() const { return __half2(cvt_fp8x2_to_halfraw2(__x, Kind)); }
};
template <__hip_fp8_interpretation_t Kind>
struct float8x4 {
  __hip_fp8x4_storage_t __x;
  float8x4() = default;
  __host__ __device__ explicit float8x4(float4 x)
      : __x(float8_pair(x.x, x.y, __HIP_SATFINITE, Kind) | (__hip_fp8x4_storage_t)float8_pair(x.z, x.w, __HIP_SATFINITE, Kind) << 16) {}
  __host__ __device__ explicit float8x4(__half2 low, __half2 high) : __x(float8x2<Kind>(low).__x | (__hip_fp8x4_storage_t)float8x2<Kind>(high).__x << 16) {}
  __host__ __device__ explicit float8x4(__hip_bfloat162 low, __hip_bfloat162 high) : __x(float8x2<Kind>(low).__x | (__hip_fp8x4_storage_t)float8x2<Kind>(high).__x << 16) {}
  __host__ __device__ explicit operator float4() const {
    return make_float4(float8_value((__hip_fp8_storage_t)__x, Kind), float8_value((__hip_fp8_storage_t)(__x >> 8), Kind),
                       float8_value((__hip_fp8_storage_t)(__x >> 16), Kind), float8_value((__hip_fp8_storage_t)(__x >> 24), Kind));
  }
};
typedef float8<__HIP_E4M3> fp8_e4m3;
typedef float8<__HIP_E5M2> fp8_e5m2;
typedef float8x2<__HIP_E4M3> fp8x2_e4m3;
typedef float8x2<__HIP_E5M2> fp8x2_e5m2;
typedef float8x4<__HIP_E4M3> fp8x4_e4m3;
typedef float8x4<__HIP_E5M2> fp8x4_e5m2;
}  // namespace hipport
