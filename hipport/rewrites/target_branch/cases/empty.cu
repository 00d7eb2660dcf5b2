// targets: gfx942 gfx950 gfx1100
// expect: target-branch target-branch target-branch
#if defined(__gfx90a__) || defined(__gfx942__)
#define MI200_AND_MI300
#endif
template <typename T>
__device__ void wave_sum(T& value) {
#if defined(__gfx90a__) || defined(__gfx942__)
  value += __builtin_amdgcn_mov_dpp(value, 0x111, 0xf, 0xf, false);
#endif
}
__device__ int low(int value) {
#ifdef USE_ROCM
#  ifdef MI200_AND_MI300
  return __builtin_amdgcn_readlane(value, 3);
#  endif
#endif
}
__global__ void copies(const int* x, int* y) {
#if __CUDA_ARCH__ >= 800 || defined(__GFX9__)
  y[threadIdx.x] = x[threadIdx.x];
#endif
}
__device__ int sum(int value) {
  wave_sum(value);
  return value + low(value);
}
