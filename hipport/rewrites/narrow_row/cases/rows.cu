// offers: narrow-row narrow-row
constexpr int kColumns = 16;
__global__ void warps(const float* x, float* y, int n) {
  const int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
  for (int c = lane; c < kColumns; c += 32) y[row * kColumns + c] = x[row * kColumns + c];
  for (int c = threadIdx.x % 32; c < 24; c += warpSize) y[row * 24 + c] += 1.0f;
}
