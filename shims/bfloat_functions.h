#include <hip/hip_bf16.h>
namespace hipport {
// Functions of bfloat16 that HIP lacks; those of halves by the same names are in half_functions, or HIP's own.
typedef __hip_bfloat16 brain;
typedef __hip_bfloat162 brain2;
__device__ inline brain2 both(brain low, brain high) { return __halves2bfloat162(low, high); }
__device__ inline brain of_float(float x) { return __float2bfloat16(x); }
__device__ inline brain not_less(brain x) { return __hisnan(x) || __bfloat162float(x) > 0.0f ? x : of_float(0.0f); }
__device__ inline brain saturated_brain(brain x) {
  const float value = __bfloat162float(x);
  return of_float(value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f);
}
__device__ inline brain hmax_nan(brain a, brain b) { return __hisnan(a) || __hisnan(b) ? of_float(__builtin_nanf("")) : __hmax(a, b); }
__device__ inline brain hmin_nan(brain a, brain b) { return __hisnan(a) || __hisnan(b) ? of_float(__builtin_nanf("")) : __hmin(a, b); }
__device__ inline brain hfma_relu(brain a, brain b, brain c) { return not_less(__hfma(a, b, c)); }
__device__ inline brain htanh(brain x) { return of_float(tanhf(__bfloat162float(x))); }
__device__ inline brain htanh_approx(brain x) { return htanh(x); }
#define HIPPORT_PAIRED(name, of) \
  __device__ inline brain2 name(brain2 a, brain2 b) { return both(of(__low2bfloat16(a), __low2bfloat16(b)), of(__high2bfloat16(a), __high2bfloat16(b))); }
HIPPORT_PAIRED(hmax2_nan, hmax_nan) HIPPORT_PAIRED(hmin2_nan, hmin_nan) HIPPORT_PAIRED(hmax2, __hmax) HIPPORT_PAIRED(hmin2, __hmin)
#undef HIPPORT_PAIRED
__device__ inline brain2 hfma2_relu(brain2 a, brain2 b, brain2 c) {
  return both(hfma_relu(__low2bfloat16(a), __low2bfloat16(b), __low2bfloat16(c)), hfma_relu(__high2bfloat16(a), __high2bfloat16(b), __high2bfloat16(c)));
}
__device__ inline brain2 h2tanh(brain2 x) { return both(htanh(__low2bfloat16(x)), htanh(__high2bfloat16(x))); }
__device__ inline brain2 h2tanh_approx(brain2 x) { return h2tanh(x); }
__device__ inline brain2 hcmadd(brain2 a, brain2 b, brain2 c) {
  const brain real = __hfma(__low2bfloat16(a), __low2bfloat16(b), __low2bfloat16(c));
  const brain imaginary = __hfma(__low2bfloat16(a), __high2bfloat16(b), __high2bfloat16(c));
  return both(__hfma(__hneg(__high2bfloat16(a)), __high2bfloat16(b), real), __hfma(__high2bfloat16(a), __low2bfloat16(b), imaginary));
}
__device__ inline bool hne(brain a, brain b) { return __hlt(a, b) || __hgt(a, b); }
__device__ inline brain brain_truth(bool x) { return of_float(x ? 1.0f : 0.0f); }
__device__ inline brain2 hne2(brain2 a, brain2 b) { return both(brain_truth(hne(__low2bfloat16(a), __low2bfloat16(b))), brain_truth(hne(__high2bfloat16(a), __high2bfloat16(b)))); }
#define HIPPORT_BOTH(name, of) \
  __device__ inline bool name(brain2 a, brain2 b) { return of(__low2bfloat16(a), __low2bfloat16(b)) && of(__high2bfloat16(a), __high2bfloat16(b)); }
HIPPORT_BOTH(hbne2, hne) HIPPORT_BOTH(hbequ2, __hequ) HIPPORT_BOTH(hbleu2, __hleu) HIPPORT_BOTH(hbgeu2, __hgeu)
HIPPORT_BOTH(hbltu2, __hltu) HIPPORT_BOTH(hbgtu2, __hgtu)
#undef HIPPORT_BOTH
#define HIPPORT_SATURATED(one, two, of)                                                                 \
  __device__ inline brain one(brain a, brain b) { return saturated_brain(of(a, b)); }                   \
  __device__ inline brain2 two(brain2 a, brain2 b) {                                                    \
    return both(one(__low2bfloat16(a), __low2bfloat16(b)), one(__high2bfloat16(a), __high2bfloat16(b))); \
  }
HIPPORT_SATURATED(hadd_sat, hadd2_sat, __hadd) HIPPORT_SATURATED(hsub_sat, hsub2_sat, __hsub) HIPPORT_SATURATED(hmul_sat, hmul2_sat, __hmul)
#undef HIPPORT_SATURATED
__device__ inline brain hfma_sat(brain a, brain b, brain c) { return saturated_brain(__hfma(a, b, c)); }
__device__ inline brain2 hfma2_sat(brain2 a, brain2 b, brain2 c) {
  return both(hfma_sat(__low2bfloat16(a), __low2bfloat16(b), __low2bfloat16(c)), hfma_sat(__high2bfloat16(a), __high2bfloat16(b), __high2bfloat16(c)));
}
#define HIPPORT_MASK(name, ordered)                                                                \
  __device__ inline unsigned name(brain2 a, brain2 b) {                                            \
    return (ordered(__low2bfloat16(a), __low2bfloat16(b)) ? 0xffffu : 0u) |                        \
           (ordered(__high2bfloat16(a), __high2bfloat16(b)) ? 0xffff0000u : 0u);                   \
  }
HIPPORT_MASK(heq2_mask, __heq) HIPPORT_MASK(hne2_mask, hne) HIPPORT_MASK(hle2_mask, __hle) HIPPORT_MASK(hge2_mask, __hge)
HIPPORT_MASK(hlt2_mask, __hlt) HIPPORT_MASK(hgt2_mask, __hgt) HIPPORT_MASK(hequ2_mask, __hequ) HIPPORT_MASK(hneu2_mask, __hneu)
HIPPORT_MASK(hleu2_mask, __hleu) HIPPORT_MASK(hgeu2_mask, __hgeu) HIPPORT_MASK(hltu2_mask, __hltu) HIPPORT_MASK(hgtu2_mask, __hgtu)
#undef HIPPORT_MASK
template <class T> struct brain_alone;
template <> struct brain_alone<__hip_bfloat16> { typedef __hip_bfloat16 type; };
template <class T> struct brain_pair;
template <> struct brain_pair<__hip_bfloat162> { typedef __hip_bfloat162 type; };
template <class T> struct brain_any;
template <> struct brain_any<__hip_bfloat16> { typedef __hip_bfloat16 type; };
template <> struct brain_any<__hip_bfloat162> { typedef __hip_bfloat162 type; };
}  // namespace hipport
// What HIP has for halves alone. Templates: an overload of the repository's own is taken before them.
template <class T>
__device__ inline typename hipport::brain_any<T>::type __ldg(const T *from) { return *from; }
template <class T>
__device__ inline typename hipport::brain_alone<T>::type __hmax_nan(T a, T b) { return hipport::hmax_nan(a, b); }
template <class T>
__device__ inline typename hipport::brain_alone<T>::type __hmin_nan(T a, T b) { return hipport::hmin_nan(a, b); }
#define HIPPORT_UNORDERED(name, of)                                                                   \
  template <class T>                                                                                  \
  __device__ inline typename hipport::brain_pair<T>::type name(T a, T b) {                            \
    return hipport::both(hipport::of_float(of(__low2bfloat16(a), __low2bfloat16(b)) ? 1.0f : 0.0f),   \
                         hipport::of_float(of(__high2bfloat16(a), __high2bfloat16(b)) ? 1.0f : 0.0f)); \
  }
HIPPORT_UNORDERED(__hequ2, __hequ) HIPPORT_UNORDERED(__hneu2, __hneu) HIPPORT_UNORDERED(__hleu2, __hleu)
HIPPORT_UNORDERED(__hgeu2, __hgeu) HIPPORT_UNORDERED(__hltu2, __hltu) HIPPORT_UNORDERED(__hgtu2, __hgtu)
#undef HIPPORT_UNORDERED
