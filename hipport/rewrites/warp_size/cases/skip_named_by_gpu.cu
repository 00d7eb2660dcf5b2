#ifdef USE_ROCM
constexpr int kWarp = 64;
#else
constexpr int kWarp = 32;
#endif
__global__ void k(const int* in, int* out) {
  int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / kWarp;
  out[threadIdx.x] = lane % 3 == 1 ? 53 : in[threadIdx.x] + warp;
}
