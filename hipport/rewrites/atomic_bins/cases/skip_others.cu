// In LDS already, indices without a bound or of a thread's own, results that are used, more bins than LDS holds.
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
