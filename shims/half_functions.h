#include <hip/hip_fp16.h>
namespace hipport {
// Functions of halves that HIP lacks.
__device__ inline __half2 hmax2(__half2 a, __half2 b) { return __half2(__hmax(__low2half(a), __low2half(b)), __hmax(__high2half(a), __high2half(b))); }
__device__ inline __half2 hmin2(__half2 a, __half2 b) { return __half2(__hmin(__low2half(a), __low2half(b)), __hmin(__high2half(a), __high2half(b))); }
__device__ inline __half2 hmax2_nan(__half2 a, __half2 b) { return __half2(__hmax_nan(__low2half(a), __low2half(b)), __hmax_nan(__high2half(a), __high2half(b))); }
__device__ inline __half2 hmin2_nan(__half2 a, __half2 b) { return __half2(__hmin_nan(__low2half(a), __low2half(b)), __hmin_nan(__high2half(a), __high2half(b))); }
__device__ inline __half at_least_0(__half x) { return __hisnan(x) || __hgt(x, __ushort_as_half(0)) ? x : __ushort_as_half(0); }
__device__ inline __half hfma_relu(__half a, __half b, __half c) { return at_least_0(__hfma(a, b, c)); }
__device__ inline __half2 hfma2_relu(__half2 a, __half2 b, __half2 c) {
  const __half2 sum = __hfma2(a, b, c);
  return __half2(at_least_0(__low2half(sum)), at_least_0(__high2half(sum)));
}
// The real and the imaginary part in one word: a * b + c.
__device__ inline __half2 hcmadd(__half2 a, __half2 b, __half2 c) {
  const __half real = __hfma(__low2half(a), __low2half(b), __low2half(c));
  const __half imaginary = __hfma(__low2half(a), __high2half(b), __high2half(c));
  return __half2(__hfma(__hneg(__high2half(a)), __high2half(b), real), __hfma(__high2half(a), __low2half(b), imaginary));
}
// Comparisons with a NaN: CUDA's __hne is false for one, as all ordered ones; the unordered of pairs are true.
__device__ inline bool hne(__half a, __half b) { return __hlt(a, b) || __hgt(a, b); }
__device__ inline __half truth(bool x) { return __ushort_as_half(x ? 0x3c00 : 0); }
__device__ inline __half2 hne2(__half2 a, __half2 b) { return __half2(truth(hne(__low2half(a), __low2half(b))), truth(hne(__high2half(a), __high2half(b)))); }
#define HIPPORT_BOTH(name, of) \
  __device__ inline bool name(__half2 a, __half2 b) { return of(__low2half(a), __low2half(b)) && of(__high2half(a), __high2half(b)); }
HIPPORT_BOTH(hbne2, hne) HIPPORT_BOTH(hbequ2, __hequ) HIPPORT_BOTH(hbleu2, __hleu) HIPPORT_BOTH(hbgeu2, __hgeu)
HIPPORT_BOTH(hbltu2, __hltu) HIPPORT_BOTH(hbgtu2, __hgtu)
#undef HIPPORT_BOTH
// Saturated to 0 to 1: a NaN becomes 0.
__device__ inline __half saturated_half(__half x) {
  const float value = __half2float(x);
  return __float2half(value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f);
}
#define HIPPORT_SATURATED(one, two, of)                                                                      \
  __device__ inline __half one(__half a, __half b) { return saturated_half(of(a, b)); }                      \
  __device__ inline __half2 two(__half2 a, __half2 b) { return __half2(one(__low2half(a), __low2half(b)), one(__high2half(a), __high2half(b))); }
HIPPORT_SATURATED(hadd_sat, hadd2_sat, __hadd) HIPPORT_SATURATED(hsub_sat, hsub2_sat, __hsub) HIPPORT_SATURATED(hmul_sat, hmul2_sat, __hmul)
#undef HIPPORT_SATURATED
__device__ inline __half hfma_sat(__half a, __half b, __half c) { return saturated_half(__hfma(a, b, c)); }
__device__ inline __half2 hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return __half2(hfma_sat(__low2half(a), __low2half(b), __low2half(c)), hfma_sat(__high2half(a), __high2half(b), __high2half(c)));
}
#define HIPPORT_MASK(name, ordered)                                                                                   \
  __device__ inline unsigned name##2_mask(__half2 a, __half2 b) {                                                     \
    return (ordered(__low2half(a), __low2half(b)) ? 0xffffu : 0u) | (ordered(__high2half(a), __high2half(b)) ? 0xffff0000u : 0u); \
  }
HIPPORT_MASK(heq, __heq) HIPPORT_MASK(hne, hne) HIPPORT_MASK(hle, __hle) HIPPORT_MASK(hge, __hge) HIPPORT_MASK(hlt, __hlt) HIPPORT_MASK(hgt, __hgt)
HIPPORT_MASK(hequ, __hequ) HIPPORT_MASK(hneu, __hneu) HIPPORT_MASK(hleu, __hleu) HIPPORT_MASK(hgeu, __hgeu) HIPPORT_MASK(hltu, __hltu) HIPPORT_MASK(hgtu, __hgtu)
#undef HIPPORT_MASK
__device__ inline __half2 h2tanh(__half2 x) {
  return __floats2half2_rn(tanhf(__half2float(__low2half(x))), tanhf(__half2float(__high2half(x))));
}
__device__ inline __half2 h2tanh_approx(__half2 x) { return h2tanh(x); }
__device__ inline __half htanh(__half x) { return __float2half(tanhf(__half2float(x))); }
__device__ inline __half htanh_approx(__half x) { return htanh(x); }
__device__ inline signed char half2char_rz(__half x) {
  const float f = __half2float(x);
  return (signed char)(f != f ? 0 : f < -128.0f ? -128 : f > 127.0f ? 127 : (int)f);
}
__device__ inline unsigned char half2uchar_rz(__half x) {
  const float f = __half2float(x);
  return (unsigned char)(!(f > 0.0f) ? 0 : f > 255.0f ? 255 : (int)f);
}
}  // namespace hipport
