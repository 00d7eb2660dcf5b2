// bfloat16 and its pairs, in CUDA's and HIP's names.
#ifndef HIPPORT_WAVE_BF16_H
#define HIPPORT_WAVE_BF16_H

#include "hipport/device.h"
#include "hipport/small_float.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat16 {
  union {
    unsigned short __x;
    unsigned short data;
  };
  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
  __nv_bfloat16(float v) : __x(::hipport_wave::to_small(v, 7, 127)) {}
  __nv_bfloat16(double v) : __x(::hipport_wave::to_small(v, 7, 127)) {}
#define HIPPORT_FROM(T) __nv_bfloat16(T v) : __x(::hipport_wave::to_small((double)v, 7, 127)) {}
  HIPPORT_FROM(short)
  HIPPORT_FROM(unsigned short)
  HIPPORT_FROM(int)
  HIPPORT_FROM(unsigned)
  HIPPORT_FROM(long)
  HIPPORT_FROM(unsigned long)
  HIPPORT_FROM(long long)
  HIPPORT_FROM(unsigned long long)
#undef HIPPORT_FROM
  operator float() const { return ::hipport_wave::bfloat_value(__x); }
  operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  explicit operator double() const { return ::hipport_wave::bfloat_value(__x); }
  explicit operator int() const { return ::hipport_wave::saturated<int>(std::trunc(::hipport_wave::bfloat_value(__x))); }
  explicit operator unsigned() const { return ::hipport_wave::saturated<unsigned>(std::trunc(::hipport_wave::bfloat_value(__x))); }
  explicit operator bool() const { return (__x & 0x7fff) != 0; }
  __nv_bfloat16 &operator=(float v) { return *this = __nv_bfloat16(v); }
  __nv_bfloat16 &operator=(double v) { return *this = __nv_bfloat16(v); }
  __nv_bfloat16 &operator=(const __nv_bfloat16 &) = default;
  __nv_bfloat16(const __nv_bfloat16 &) = default;
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16 hip_bfloat16;

HIPPORT_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162)

HIPPORT_INLINE __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
HIPPORT_INLINE __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
HIPPORT_INLINE __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
HIPPORT_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16(__nv_bfloat16_raw{v}); }
HIPPORT_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
HIPPORT_INLINE __nv_bfloat16 __float2bfloat16_rz(float v) { return __ushort_as_bfloat16((unsigned short)(__float_as_uint(v) >> 16)); }
HIPPORT_INLINE float __bfloat162float(__nv_bfloat16 v) { return (float)v; }
HIPPORT_INLINE __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
HIPPORT_INLINE int __bfloat162int_rn(__nv_bfloat16 v) { return ::hipport_wave::saturated<int>(std::nearbyint((float)v)); }
HIPPORT_INLINE int __bfloat162int_rz(__nv_bfloat16 v) { return (int)v; }
HIPPORT_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
HIPPORT_INLINE __nv_bfloat162 __float2bfloat162_rn(float a) { return {__nv_bfloat16(a), __nv_bfloat16(a)}; }
HIPPORT_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)}; }
HIPPORT_INLINE float2 __bfloat1622float2(__nv_bfloat162 a) { return {(float)a.x, (float)a.y}; }
HIPPORT_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
HIPPORT_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
HIPPORT_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
HIPPORT_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
HIPPORT_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
HIPPORT_INLINE float __low2float(__nv_bfloat162 a) { return (float)a.x; }
HIPPORT_INLINE float __high2float(__nv_bfloat162 a) { return (float)a.y; }

#endif
