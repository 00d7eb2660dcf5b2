// offers: narrow-row narrow-row
constexpr int kColumns = 16;
__global__ void warps(const float* x, float* y, int n) {
  const int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
  for (int c = lane; c < kColumns; c += 32) y[row * kColumns + c] = x[row * kColumns + c];
}
__global__ void waves(float* y) {
  const int row = blockIdx.x, lane = threadIdx.x % warpSize;
  for (int c = lane; c < 24; c += warpSize) y[row * 24 + c] += 1.0f;
}
