// The mask has a type of its own on AMD: the author has ported it.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#ifdef USE_ROCM
using warp_mask_t = unsigned long long;
#else
using warp_mask_t = unsigned int;
#endif
struct Half { __half x; };

__device__ inline Half __shfl_up_sync(const warp_mask_t mask, const Half v, const unsigned delta) {
  return Half{__shfl_up_sync(mask, v.x, delta)};
}
