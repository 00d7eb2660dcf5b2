// half, bfloat16 and fp8 types of cuda_fp16.h, cuda_bf16.h, cuda_fp8.h
#pragma once
#define HIPPORT_ARITH(T) \
  __HIPPORT_BOTH__ T operator+(T, T); __HIPPORT_BOTH__ T operator-(T, T); __HIPPORT_BOTH__ T operator*(T, T); __HIPPORT_BOTH__ T operator/(T, T); \
  __HIPPORT_BOTH__ T operator-(T); __HIPPORT_BOTH__ T &operator+=(T &, T); __HIPPORT_BOTH__ T &operator-=(T &, T); __HIPPORT_BOTH__ T &operator*=(T &, T); \
  __HIPPORT_BOTH__ bool operator<(T, T); __HIPPORT_BOTH__ bool operator>(T, T); __HIPPORT_BOTH__ bool operator==(T, T); __HIPPORT_BOTH__ bool operator!=(T, T); __HIPPORT_BOTH__ bool operator<=(T, T); __HIPPORT_BOTH__ bool operator>=(T, T);
#define HIPPORT_FLOAT16(T, T2) \
  struct __align__(2) T { unsigned short x; T() = default; __HIPPORT_BOTH__ T(float); __HIPPORT_BOTH__ explicit T(double); __HIPPORT_BOTH__ explicit T(int); __HIPPORT_BOTH__ operator float() const; }; \
  struct __align__(4) T2 { T x, y; }; HIPPORT_ARITH(T2)
HIPPORT_FLOAT16(__half, __half2)
HIPPORT_FLOAT16(__nv_bfloat16, __nv_bfloat162)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
struct __half_raw { unsigned short x; };
struct __nv_fp8_e4m3 { unsigned char x; __nv_fp8_e4m3() = default; __HIPPORT_BOTH__ explicit __nv_fp8_e4m3(float); __HIPPORT_BOTH__ explicit operator float() const; };
struct __nv_fp8_e5m2 { unsigned char x; __nv_fp8_e5m2() = default; __HIPPORT_BOTH__ explicit __nv_fp8_e5m2(float); __HIPPORT_BOTH__ explicit operator float() const; };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
HIPPORT_CAST(__float2half, __half, float) HIPPORT_CAST(__float2half_rn, __half, float) HIPPORT_CAST(__half2float, float, __half) HIPPORT_CAST(__float2half2_rn, __half2, float)
HIPPORT_CAST(__half22float2, float2, __half2) HIPPORT_CAST(__float22half2_rn, __half2, float2) HIPPORT_CAST(__half2half2, __half2, __half) HIPPORT_CAST(__low2half, __half, __half2) HIPPORT_CAST(__high2half, __half, __half2)
HIPPORT_CAST(__low2float, float, __half2) HIPPORT_CAST(__high2float, float, __half2) HIPPORT_CAST(__half_as_ushort, unsigned short, __half) HIPPORT_CAST(__ushort_as_half, __half, unsigned short)
HIPPORT_CAST(__float2bfloat16, __nv_bfloat16, float) HIPPORT_CAST(__float2bfloat16_rn, __nv_bfloat16, float) HIPPORT_CAST(__bfloat162float, float, __nv_bfloat16) HIPPORT_CAST(__float2bfloat162_rn, __nv_bfloat162, float) HIPPORT_CAST(__bfloat1622float2, float2, __nv_bfloat162) HIPPORT_CAST(__float22bfloat162_rn, __nv_bfloat162, float2) HIPPORT_CAST(__bfloat162bfloat162, __nv_bfloat162, __nv_bfloat16)
#define HIPPORT_H2(N) template <class T> __device__ T N(T a, T b);
HIPPORT_H2(__hadd) HIPPORT_H2(__hsub) HIPPORT_H2(__hmul) HIPPORT_H2(__hdiv) HIPPORT_H2(__hadd2) HIPPORT_H2(__hsub2) HIPPORT_H2(__hmul2) HIPPORT_H2(__hmax) HIPPORT_H2(__hmin) HIPPORT_H2(__hmax2) HIPPORT_H2(__hmin2) HIPPORT_H2(__h2div)
template <class T> __device__ T __hfma(T a, T b, T c);
template <class T> __device__ T __hfma2(T a, T b, T c);
template <class T> __device__ T __hneg(T a);
template <class T> __device__ T __habs(T a);
template <class T> __device__ T hexp(T a);
template <class T> __device__ T hlog(T a);
template <class T> __device__ T hsqrt(T a);
template <class T> __device__ T h2exp(T a);
template <class T> __device__ bool __hgt(T a, T b);
template <class T> __device__ bool __hlt(T a, T b);
template <class T> __device__ bool __heq(T a, T b);
template <class T> __device__ bool __hisnan(T a);
__device__ __half2 __halves2half2(__half a, __half b);
__device__ __half2 __floats2half2_rn(float a, float b);
__device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
__device__ __nv_bfloat162 __floats2bfloat162_rn(float a, float b);
__HIPPORT_BOTH__ __half2 make_half2(__half, __half);
__HIPPORT_BOTH__ __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
HIPPORT_CAST(__half2int_rn, int, __half) HIPPORT_CAST(__half2int_rz, int, __half) HIPPORT_CAST(__half2int_rd, int, __half) HIPPORT_CAST(__half2int_ru, int, __half) HIPPORT_CAST(__int2half_rn, __half, int)
HIPPORT_CAST(__bfloat162int_rn, int, __nv_bfloat16) HIPPORT_CAST(__bfloat162int_rz, int, __nv_bfloat16) HIPPORT_CAST(__int2bfloat16_rn, __nv_bfloat16, int)
HIPPORT_CAST(__ushort_as_bfloat16, __nv_bfloat16, unsigned short) HIPPORT_CAST(__bfloat16_as_ushort, unsigned short, __nv_bfloat16)
template <class T> __device__ T hlog2(T); template <class T> __device__ T hexp2(T); template <class T> __device__ T hlog(T); template <class T> __device__ T hexp(T); template <class T> __device__ T hsqrt(T); template <class T> __device__ T hrsqrt(T); template <class T> __device__ T hrcp(T);
