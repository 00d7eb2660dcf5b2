#ifdef USE_ROCM
#if HIP_FP8_TYPE_OCP
using __nv_fp8_e4m3 = __hip_fp8_e4m3;
#else
using __nv_fp8_e4m3 = __hip_fp8_e4m3_fnuz;
#endif
#if defined(__gfx942__)
constexpr float kFp8Max = 240.0f;
#else
constexpr float kFp8Max = 448.0f;
#endif
inline bool is_fp8(at::ScalarType t) { return t == at::kFloat8_e4m3fnuz || t == at::kFloat8_e4m3fn; }
inline at::ScalarType format(const std::string& gcnArchName) {
  return gcnArchName.find("gfx94") == 0 ? at::kFloat8_e4m3fnuz : at::kFloat8_e4m3fn;
}
constexpr int kBlock = 240;  // threads
#endif
template <>
struct Converter<at::Float8_e4m3fnuz> {};
__global__ void k(__nv_fp8_e4m3* x, float* y) { y[threadIdx.x] = float(x[threadIdx.x]) / 448.0f; }
