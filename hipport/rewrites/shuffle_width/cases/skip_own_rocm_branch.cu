// A file that already tells ROCm from CUDA has been ported by hand: it stays as it is.
#ifdef USE_ROCM
using warp_mask_t = unsigned long long;
#define SHFL_DOWN(v, d) __shfl_down(v, d, 32)
#else
using warp_mask_t = unsigned int;
#define SHFL_DOWN(v, d) __shfl_down_sync(0xffffffff, v, d)
#endif

__global__ void k(float* x) {
  float v = x[threadIdx.x];
  for (int d = 16; d; d >>= 1) v += SHFL_DOWN(v, d);
  if (threadIdx.x % 32 == 0) x[threadIdx.x] = v;
}
