// offers: atomic-bins
// Two arrays with offsets that are one for the block, an early return, bins of both sizes, a guard.
#define BINS 64
constexpr int kLevels = 100;
__global__ void rows(const unsigned char* image, const int* level, int* histogram, unsigned long long* levels, int n) {
  __shared__ int hipport_bins[BINS];
  __shared__ unsigned long long hipport_bins1[kLevels];
  hipport::clear_bins(hipport_bins);
  hipport::clear_bins(hipport_bins1);
  __syncthreads();
  const int row = blockIdx.y;
  if (!(blockIdx.x * blockDim.x + threadIdx.x >= n)) {
  const int first = row * n;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = image[first + i] % BINS;
    const int at = level[first + i];
    atomicAdd(&hipport_bins[bin], 1);
    if (at < 0 || at >= kLevels) continue;
    unsigned long long* mine = levels + row * kLevels;
    atomicAdd(&hipport_bins1[at], (unsigned long long)(i & 3));
  }
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, histogram + (row * BINS));
  hipport::flush_bins(hipport_bins1, ((unsigned long long *)(levels + row * kLevels)));
}
