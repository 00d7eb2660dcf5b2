// offers: atomic-bins atomic-bins atomic-bins
__global__ void histogram(const unsigned char* x, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1u);
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
