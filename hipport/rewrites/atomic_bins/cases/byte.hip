// offers: atomic-bins atomic-bins atomic-bins
__global__ void histogram(const unsigned char* x, unsigned* bins, int n) {
  __shared__ unsigned int hipport_bins[256];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&hipport_bins[x[i]], 1u);
  __syncthreads();
  hipport::flush_bins(hipport_bins, bins);
}
#define BINS 64
__global__ void masked(const int* x, int* low, unsigned long long* rest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int bin = x[i] & (BINS - 1);
    atomicAdd(low + bin, 1);
    atomicAdd(&rest[x[i] % 1000], 2ull);
  }
}
