// What stands in the way is told, and nothing is written.
// offers: atomic-bins atomic-bins atomic-bins atomic-bins atomic-bins atomic-bins
__global__ void signed_value(const int* x, int* bins, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[x[i] % 64], 1);
    const int bin = x[i] / 3;
    if (bin < 64) atomicAdd(&bins[bin], 1);
  }
}
__global__ void read_back(const unsigned* x, unsigned* bins, unsigned* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[x[i] % 64], 1u);
    if (bins[0] > 100) y[i] = 1;
  }
}
__global__ void returns(const unsigned char* x, unsigned* bins, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (x[i] == 9) return;
    atomicAdd(&bins[x[i]], 1u);
  }
}
__global__ void few(const unsigned char* x, unsigned* bins, int n) {
  for (int k = 0; k < 4; ++k) {
    const int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1u);
  }
}
__global__ void fenced(const unsigned char* x, unsigned* bins, int* flag, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[x[i]], 1u);
  __threadfence();
  flag[blockIdx.x] = 1;
}
__global__ void other_pointer(const unsigned char* x, unsigned* bins, unsigned* y, int n) {
  const unsigned* low = bins;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[x[i]], 1u);
    y[i] = low[3];
  }
}
