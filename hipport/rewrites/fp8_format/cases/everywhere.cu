// expect: fp8-format fp8-format fp8-format fp8-format
#ifdef USE_ROCM
using element = c10::Float8_e4m3fnuz;
#else
using element = c10::Float8_e4m3fn;
#endif
struct Fp8Limit {
#ifndef USE_ROCM
  static constexpr float value = 448.0f;
#else
  static constexpr float value = 240.0f;
#endif
};
#if defined(USE_ROCM) && defined(FP8_OCP_BUILD)
constexpr float kFloat8Max = 448.f;
#endif
inline at::ScalarType label() {
#if defined(USE_ROCM) && !HIP_FP8_TYPE_OCP
  return at::kFloat8_e4m3fnuz;
#else
  return at::kFloat8_e4m3fn;
#endif
}
__global__ void k(float* x) { x[threadIdx.x] *= Fp8Limit::value; }
