// offers: atomic-bins
// Two arrays with offsets that are one for the block, an early return, bins of both sizes, a guard.
#define BINS 64
constexpr int kLevels = 100;
__global__ void rows(const unsigned char* image, const int* level, int* histogram, unsigned long long* levels, int n) {
  const int row = blockIdx.y;
  if (blockIdx.x * blockDim.x + threadIdx.x >= n) return;
  const int first = row * n;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = image[first + i] % BINS;
    const int at = level[first + i];
    atomicAdd(&histogram[row * BINS + bin], 1);
    if (at < 0 || at >= kLevels) continue;
    unsigned long long* mine = levels + row * kLevels;
    atomicAdd(mine + at, (unsigned long long)(i & 3));
  }
}
