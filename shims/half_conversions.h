#include <hip/hip_fp16.h>
namespace hipport {
// Conversions between halves and integers that round as they are named. HIP's all cut off, or go to the nearest.
template <class T>
__device__ inline T half_to_integer(float x) {
  constexpr bool is_signed = (T)-1 < (T)0;
  constexpr T most = (T)(is_signed ? ~0ull >> (65 - 8 * sizeof(T)) : ~0ull >> (64 - 8 * sizeof(T))), least = (T)(is_signed ? -(long long)most - 1 : 0);
  if (x != x) return 0;
  return x >= (float)most ? most : x <= (float)least ? least : (T)x;
}
// Way: -1 downwards, 0 towards zero, 1 upwards. Every integer below 65536 is a float; beyond that no half is finite.
template <int Way, class T>
__device__ inline __half integer_to_half(T x) {
  const bool negative = x < (T)0;
  const unsigned long long size = negative ? 0ull - (unsigned long long)x : (unsigned long long)x;
  const bool outwards = Way != 0 && (Way < 0) == negative;
  unsigned short bits;
  if (size > 65504ull) {
    bits = outwards ? 0x7c00 : 0x7bff;
  } else {
    const _Float16 near = (_Float16)(float)size;
    bits = __builtin_bit_cast(unsigned short, near);
    if ((float)near > (float)size && !outwards) --bits;
    if ((float)near < (float)size && outwards) ++bits;
  }
  return __builtin_bit_cast(__half, (unsigned short)(bits | (negative ? 0x8000u : 0u)));
}
#define HIPPORT_HALF(name, T)                                                                                            \
  __device__ inline T half2##name##_rn(__half x) { return half_to_integer<T>(__builtin_rintf(__half2float(x))); }        \
  __device__ inline T half2##name##_rd(__half x) { return half_to_integer<T>(__builtin_floorf(__half2float(x))); }       \
  __device__ inline T half2##name##_ru(__half x) { return half_to_integer<T>(__builtin_ceilf(__half2float(x))); }        \
  __device__ inline T half2##name##_rz(__half x) { return half_to_integer<T>(__builtin_truncf(__half2float(x))); }       \
  __device__ inline __half name##2half_rd(T x) { return integer_to_half<-1>(x); }                                        \
  __device__ inline __half name##2half_ru(T x) { return integer_to_half<1>(x); }                                         \
  __device__ inline __half name##2half_rz(T x) { return integer_to_half<0>(x); }
HIPPORT_HALF(short, short) HIPPORT_HALF(ushort, unsigned short) HIPPORT_HALF(int, int) HIPPORT_HALF(uint, unsigned)
HIPPORT_HALF(ll, long long) HIPPORT_HALF(ull, unsigned long long)
#undef HIPPORT_HALF
}  // namespace hipport
