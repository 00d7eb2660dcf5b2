// In LDS already, indices without a bound or of a thread's own, results that are used, more bins than LDS holds,
// one thread of a block, rows of a thread's own, a number of bins that is no constant.
__global__ void privatised(const unsigned char* x, unsigned* bins) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&part[x[threadIdx.x]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x & 255], part[threadIdx.x]);
}
__global__ void k(const int* x, int* degree, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&degree[x[i]], 1);
  atomicAdd(&degree[threadIdx.x % 64], 1);
  atomicAdd(&degree[i & 1023], x[i]);
  atomicAdd(&degree[x[i] & 0xfffff], 1);
  y[i] = atomicAdd(&degree[x[i] & 15], 1);
}
__global__ void own_rows(const unsigned char* x, unsigned* bins, int n, unsigned size) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[i * 256 + x[i]], 1u);
    atomicAdd(&bins[x[i] * 1000u % size], 1u);
  }
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i) atomicAdd(&bins[x[i]], 1u);
}
template <int kBins>
__global__ void sized(const unsigned* x, unsigned* bins, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[x[i] % kBins], 1u);
}
