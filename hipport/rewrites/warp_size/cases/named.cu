// expect: warp-size warp-size
constexpr int kWarp = 32;
#define LANES (32)
__global__ void k(const int* in, int* out) {
  int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / kWarp;
  out[threadIdx.x] = lane % 3 == 1 ? 53 : in[threadIdx.x] + warp;
}
__global__ void m(int* out) { out[threadIdx.x] = threadIdx.x % warpSize + threadIdx.x / LANES; }
