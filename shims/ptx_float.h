namespace hipport {
// Floats as PTX computes them with .ftz, .NaN and .sat.
__device__ inline float flushed(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }
__device__ inline float minimum(float a, float b) {
  return __builtin_isunordered(a, b) ? __uint_as_float(0x7fffffffu) : __builtin_fminf(a, b);
}
__device__ inline float maximum(float a, float b) {
  return __builtin_isunordered(a, b) ? __uint_as_float(0x7fffffffu) : __builtin_fmaxf(a, b);
}
// A NaN becomes 0.
__device__ inline float saturated(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
__device__ inline float saturatef(float x) { return saturated(x); }
}  // namespace hipport
