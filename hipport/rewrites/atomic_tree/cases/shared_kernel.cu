// Other rewrites have a part in these kernels: a value that a shuffle makes, a grid that is capped, LDS up to the limit.
// expect: shuffle-width grid-limit
// offers: atomic-tree atomic-tree atomic-tree
__global__ void warps(const int* x, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = x[i];
  atomicAdd(total, __shfl_sync(0xffffffff, v, 0));
}
__global__ void capped(const int* x, int* total, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(total + 1, 1);
}
__global__ void full(const int* x, int* total) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  atomicAdd(total + 2, s[threadIdx.x ^ 1]);
}
void run(const int* x, int* total, int64_t n, int bytes) {
  capped<<<(n + 255) / 256, 256>>>(x, total, n);
  cudaFuncSetAttribute(full, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  full<<<1, 256, bytes>>>(x, total);
}
