// dim3 and the vector types, with their make_ functions.
#ifndef HIPPORT_WAVE_TYPES_H
#define HIPPORT_WAVE_TYPES_H

#include "../hipport_wave.h"

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef unsigned long ulong;

#define HIPPORT_VECTOR(T, name, align2, align4)                                                                       \
  struct name##1 { T x; };                                                                                          \
  struct alignas(align2) name##2 { T x, y; };                                                                       \
  struct name##3 { T x, y, z; };                                                                                    \
  struct alignas(align4) name##4 { T x, y, z, w; };                                                                 \
  static HIPPORT_INLINE name##1 make_##name##1(T x) { return name##1{x}; }                                          \
  static HIPPORT_INLINE name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                                  \
  static HIPPORT_INLINE name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                          \
  static HIPPORT_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }

HIPPORT_VECTOR(signed char, char, 2, 4)
HIPPORT_VECTOR(unsigned char, uchar, 2, 4)
HIPPORT_VECTOR(short, short, 4, 8)
HIPPORT_VECTOR(unsigned short, ushort, 4, 8)
HIPPORT_VECTOR(int, int, 8, 16)
HIPPORT_VECTOR(unsigned int, uint, 8, 16)
HIPPORT_VECTOR(long, long, 16, 16)
HIPPORT_VECTOR(unsigned long, ulong, 16, 16)
HIPPORT_VECTOR(long long, longlong, 16, 16)
HIPPORT_VECTOR(unsigned long long, ulonglong, 16, 16)
HIPPORT_VECTOR(float, float, 8, 16)
HIPPORT_VECTOR(double, double, 16, 16)
#undef HIPPORT_VECTOR

#ifdef HIPPORT_HIP  // HIP's vector types have operators, CUDA's have not
#include "vector_operators.h"
#endif

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
  operator ::hipport_wave::Dim3Like() const { return {x, y, z}; }
};

namespace hipport_wave {
HIPPORT_INLINE uint3 as_uint3(Index i) { return {i.x, i.y, i.z}; }
HIPPORT_INLINE dim3 as_dim3(Index i) { return dim3(i.x, i.y, i.z); }
inline void configure_launch(dim3 grid, dim3 block, size_t shared = 0, const void *stream = nullptr) {
  configure(grid, block, shared, stream);
}
}  // namespace hipport_wave

#define threadIdx (::hipport_wave::as_uint3(::hipport_wave::thread_index()))
#define blockIdx (::hipport_wave::as_uint3(::hipport_wave::block_index()))
#define blockDim (::hipport_wave::as_dim3(::hipport_wave::block_extent()))
#define gridDim (::hipport_wave::as_dim3(::hipport_wave::grid_extent()))
static const int warpSize = HIPPORT_WAVE_SIZE;

#endif
