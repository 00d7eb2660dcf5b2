namespace hipport {
// Arithmetic with a stated rounding. HIP's __fmul_rn is a plain product, which the compiler may fuse with a sum; its
// __fsqrt_rn and __frsqrt_rn are the machine's approximations; it has no other rounding unless OCML is told to.
__device__ inline float fadd_rn(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline float fsub_rn(float a, float b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ inline float fmul_rn(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ inline double dadd_rn(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline double dsub_rn(double a, double b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ inline double dmul_rn(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ inline float fsqrt_rn(float x) { return (float)__builtin_sqrt((double)x); }
// One step of a float upwards or downwards.
__device__ inline float stepped(float x, bool up) {
  const unsigned bits = __float_as_uint(x);
  if (x == 0.0f) return __uint_as_float(up ? 1u : 0x80000001u);
  return __uint_as_float((x > 0) == up ? bits + 1u : bits - 1u);
}
__device__ inline double stepped(double x, bool up) {
  const long long bits = __double_as_longlong(x);
  if (x == 0.0) return __longlong_as_double(up ? 1ll : (long long)0x8000000000000001ull);
  return __longlong_as_double((x > 0) == up ? bits + 1 : bits - 1);
}
// `near` is the nearest to a result that it exceeds (over), falls short of (under), or is.
template <int Direction, class T>
__device__ inline T directed(T near, bool over, bool under) {
  const bool down = Direction < 0 || (Direction == 0 && near > 0), up = Direction > 0 || (Direction == 0 && near < 0);
  return over && down ? stepped(near, false) : under && up ? stepped(near, true) : near;
}
template <int Direction>
__device__ inline float divided(float a, float b) {
  const float near = (float)((double)a / (double)b);
  const double back = (double)near * (double)b;
  const bool over = b > 0 ? back > a : back < a, under = b > 0 ? back < a : back > a;
  const float zero = (a < 0) != (b < 0) ? -0.0f : 0.0f;
  const float result = near == 0.0f ? zero : near;
  return directed<Direction>(result, over, under);
}
template <int Direction>
__device__ inline float rooted(float a) {
  const float near = (float)__builtin_sqrt((double)a);
  const double back = (double)near * (double)near;
  return directed<Direction>(near, back > a, back < a);
}
template <int Direction>
__device__ inline double divided(double a, double b) {
  const double near = a / b, scale = __builtin_fabs(a) < 0x1p-900 ? 0x1p200 : 1.0;
  const double rest = __builtin_fma(near * scale, b, -(a * scale));
  return directed<Direction>(near, b > 0 ? rest > 0 : rest < 0, b > 0 ? rest < 0 : rest > 0);
}
template <int Direction>
__device__ inline double rooted(double a) {
  const bool small = a < 0x1p-900;
  const double near = __builtin_sqrt(a), root = small ? near * 0x1p100 : near;
  const double rest = __builtin_fma(root, root, -(small ? a * 0x1p200 : a));
  return directed<Direction>(near, rest > 0, rest < 0);
}
__device__ inline float frsqrt_rn(float x) {
  const float near = (float)(1.0 / __builtin_sqrt((double)x));
  if (!(near > 0.0f) || __builtin_isinf(near)) return near;
  const float above = stepped(near, true), below = stepped(near, false);
  const double high = 0.5 * ((double)near + above), low = 0.5 * ((double)near + below);
  if (__builtin_fma(high * high, (double)x, -1.0) < 0) return above;
  return __builtin_fma(low * low, (double)x, -1.0) > 0 ? below : near;
}
__device__ inline float fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#define HIPPORT_ROUNDED(way, mode, direction)                                                          \
  __device__ inline float fadd_##way(float a, float b) { return __ocml_add_##mode##_f32(a, b); }       \
  __device__ inline float fsub_##way(float a, float b) { return __ocml_sub_##mode##_f32(a, b); }       \
  __device__ inline float fmul_##way(float a, float b) { return __ocml_mul_##mode##_f32(a, b); }       \
  __device__ inline float fmaf_##way(float a, float b, float c) { return __ocml_fma_##mode##_f32(a, b, c); }       \
  __device__ inline float fmaf_ieee_##way(float a, float b, float c) { return fmaf_##way(a, b, c); }   \
  __device__ inline double dadd_##way(double a, double b) { return __ocml_add_##mode##_f64(a, b); }    \
  __device__ inline double dsub_##way(double a, double b) { return __ocml_sub_##mode##_f64(a, b); }    \
  __device__ inline double dmul_##way(double a, double b) { return __ocml_mul_##mode##_f64(a, b); }    \
  __device__ inline double fma_##way(double a, double b, double c) { return __ocml_fma_##mode##_f64(a, b, c); }    \
  __device__ inline float fdiv_##way(float a, float b) { return divided<direction>(a, b); }            \
  __device__ inline float frcp_##way(float a) { return divided<direction>(1.0f, a); }                  \
  __device__ inline float fsqrt_##way(float a) { return rooted<direction>(a); }                        \
  __device__ inline double ddiv_##way(double a, double b) { return divided<direction>(a, b); }         \
  __device__ inline double drcp_##way(double a) { return divided<direction>(1.0, a); }                 \
  __device__ inline double dsqrt_##way(double a) { return rooted<direction>(a); }
HIPPORT_ROUNDED(rd, rtn, -1)
HIPPORT_ROUNDED(ru, rtp, 1)
HIPPORT_ROUNDED(rz, rtz, 0)
#undef HIPPORT_ROUNDED
}  // namespace hipport
