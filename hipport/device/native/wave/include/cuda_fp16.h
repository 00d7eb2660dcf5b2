// half and half2.
#ifndef HIPPORT_WAVE_FP16_H
#define HIPPORT_WAVE_FP16_H

#include "hipport/device.h"
#include "hipport/small_float.h"

struct __half_raw {
  unsigned short x;
};
struct __half {
  union {
    unsigned short __x;
    unsigned short data;
  };
  __half() = default;
  __half(const __half_raw &r) : __x(r.x) {}
  __half(float v) : __x(::hipport_wave::to_small(v, 10, 15)) {}
  __half(double v) : __x(::hipport_wave::to_small(v, 10, 15)) {}
#define HIPPORT_FROM(T) __half(T v) : __x(::hipport_wave::to_small((double)v, 10, 15)) {}
  HIPPORT_FROM(short)
  HIPPORT_FROM(unsigned short)
  HIPPORT_FROM(int)
  HIPPORT_FROM(unsigned)
  HIPPORT_FROM(long)
  HIPPORT_FROM(unsigned long)
  HIPPORT_FROM(long long)
  HIPPORT_FROM(unsigned long long)
#undef HIPPORT_FROM
  operator float() const { return ::hipport_wave::half_value(__x); }
  operator __half_raw() const { return __half_raw{__x}; }
  explicit operator double() const { return ::hipport_wave::half_value(__x); }
  explicit operator int() const { return ::hipport_wave::saturated<int>(std::trunc(::hipport_wave::half_value(__x))); }
  explicit operator unsigned() const { return ::hipport_wave::saturated<unsigned>(std::trunc(::hipport_wave::half_value(__x))); }
  explicit operator short() const { return ::hipport_wave::saturated<short>(std::trunc(::hipport_wave::half_value(__x))); }
  explicit operator bool() const { return (__x & 0x7fff) != 0; }
  __half &operator=(float v) { return *this = __half(v); }
  __half &operator=(double v) { return *this = __half(v); }
  __half &operator=(const __half &) = default;
  __half(const __half &) = default;
};
typedef __half half;
struct __half2_raw {
  unsigned short x, y;
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __half2(const __half &a, const __half &b) : x(a), y(b) {}
  explicit __half2(const __half &a) : x(a), y(a) {}
};
typedef __half2 half2;

HIPPORT_SMALL_FLOAT(__half, __half2)

HIPPORT_INLINE __half __float2half(float v) { return __half(v); }
HIPPORT_INLINE __half __float2half_rn(float v) { return __half(v); }
HIPPORT_INLINE __half __double2half(double v) { return __half(v); }
HIPPORT_INLINE __half __ushort_as_half(unsigned short v) { return __half(__half_raw{v}); }
HIPPORT_INLINE __half __short_as_half(short v) { return __half(__half_raw{(unsigned short)v}); }
HIPPORT_INLINE unsigned short __half_as_ushort(__half v) { return v.__x; }
HIPPORT_INLINE short __half_as_short(__half v) { return (short)v.__x; }
HIPPORT_INLINE __half __float2half_rz(float v) { return __ushort_as_half(::hipport_wave::directed(v, 10, 15, 0, ::hipport_wave::half_value)); }
HIPPORT_INLINE __half __float2half_rd(float v) { return __ushort_as_half(::hipport_wave::directed(v, 10, 15, -1, ::hipport_wave::half_value)); }
HIPPORT_INLINE __half __float2half_ru(float v) { return __ushort_as_half(::hipport_wave::directed(v, 10, 15, 1, ::hipport_wave::half_value)); }
HIPPORT_INLINE float __half2float(__half v) { return (float)v; }
#define HIPPORT_HALF_INTEGER(T, name)                                                                     \
  HIPPORT_INLINE __half __##name##2half_rn(T v) { return __half(v); }                                     \
  HIPPORT_INLINE __half __##name##2half_rz(T v) { return __float2half_rz((float)v); }                     \
  HIPPORT_INLINE T __half2##name##_rn(__half v) { return ::hipport_wave::saturated<T>(std::nearbyint((float)v)); } \
  HIPPORT_INLINE T __half2##name##_rz(__half v) { return ::hipport_wave::saturated<T>(std::trunc((float)v)); }     \
  HIPPORT_INLINE T __half2##name##_rd(__half v) { return ::hipport_wave::saturated<T>(std::floor((float)v)); }     \
  HIPPORT_INLINE T __half2##name##_ru(__half v) { return ::hipport_wave::saturated<T>(std::ceil((float)v)); }
HIPPORT_HALF_INTEGER(int, int)
HIPPORT_HALF_INTEGER(unsigned, uint)
HIPPORT_HALF_INTEGER(short, short)
HIPPORT_HALF_INTEGER(unsigned short, ushort)
HIPPORT_HALF_INTEGER(long long, ll)
HIPPORT_HALF_INTEGER(unsigned long long, ull)
#undef HIPPORT_HALF_INTEGER
HIPPORT_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
HIPPORT_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
HIPPORT_INLINE __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
HIPPORT_INLINE float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
HIPPORT_INLINE __half2 __half2half2(__half a) { return {a, a}; }
HIPPORT_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
HIPPORT_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
HIPPORT_INLINE __half __low2half(__half2 a) { return a.x; }
HIPPORT_INLINE __half __high2half(__half2 a) { return a.y; }
HIPPORT_INLINE __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
HIPPORT_INLINE __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
HIPPORT_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
HIPPORT_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
HIPPORT_INLINE __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
HIPPORT_INLINE float __low2float(__half2 a) { return (float)a.x; }
HIPPORT_INLINE float __high2float(__half2 a) { return (float)a.y; }
#ifdef HIPPORT_HIP
HIPPORT_INLINE __half2 unsafeAtomicAdd(__half2 *at, __half2 v) { return atomicAdd(at, v); }
#endif

#endif
