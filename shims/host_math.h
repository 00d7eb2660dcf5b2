namespace hipport {
// As CUDA's host versions: one over the root. On the device these are HIP's own functions.
__host__ __device__ inline float rsqrtf(float x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return ::rsqrtf(x);
#else
  return 1.0f / ::sqrtf(x);
#endif
}
__host__ __device__ inline double rsqrt(double x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return ::rsqrt(x);
#else
  return 1.0 / ::sqrt(x);
#endif
}
__host__ __device__ inline float rsqrt(float x) { return hipport::rsqrtf(x); }
__host__ __device__ inline float rcbrtf(float x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return ::rcbrtf(x);
#else
  return 1.0f / ::cbrtf(x);
#endif
}
__host__ __device__ inline double rcbrt(double x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return ::rcbrt(x);
#else
  return 1.0 / ::cbrt(x);
#endif
}
__host__ __device__ inline float rcbrt(float x) { return hipport::rcbrtf(x); }
template <class T>
__host__ __device__ inline double rsqrt(T x) { return hipport::rsqrt(static_cast<double>(x)); }
template <class T>
__host__ __device__ inline double rcbrt(T x) { return hipport::rcbrt(static_cast<double>(x)); }
}  // namespace hipport
