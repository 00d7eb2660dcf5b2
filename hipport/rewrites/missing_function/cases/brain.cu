// expect: missing-function missing-function missing-function missing-function missing-function
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void brain(const __nv_bfloat162* a, const __nv_bfloat16* s, __nv_bfloat162* out, unsigned* words, unsigned n) {
  unsigned i = umin(threadIdx.x, n - 1u);
  out[i] = __hmax2_nan(a[i], __hmax2(a[i], a[0]));
  words[i] = __hlt2_mask(a[i], a[0]) ^ (unsigned)__bfloat162float(__ldg(s + i)) ^ (unsigned)__bfloat162float(__ldg(s));
}
