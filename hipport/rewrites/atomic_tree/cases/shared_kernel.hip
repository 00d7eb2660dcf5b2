// Other rewrites have a part in these kernels: a value that a shuffle makes, a grid that is capped, LDS up to the limit.
// expect: shuffle-width grid-limit
// offers: atomic-tree atomic-tree atomic-tree
__global__ void warps(const int* x, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hipport_sum = 0;
  if (!(i >= n)) {
  const int v = x[i];
  hipport_sum += (int)(__shfl(v, 0, 32));
  }
  hipport::block_add(total, hipport_sum);
}
__global__ void capped(unsigned hipport_blocks, const int* x, int* total, int64_t n) {
  for (unsigned hipport_block = blockIdx.x; hipport_block < hipport_blocks; hipport_block += gridDim.x, __syncthreads()) {
  const int64_t i = (int64_t)hipport_block * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(total + 1, 1);
  }
}
__global__ void full(const int* x, int* total) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  atomicAdd(total + 2, s[threadIdx.x ^ 1]);
}
void run(const int* x, int* total, int64_t n, int bytes) {
  capped<<<static_cast<unsigned>(((n + 255) / 256) < 16777215 ? ((n + 255) / 256) : 16777215), 256>>>(static_cast<unsigned>((n + 255) / 256), x, total, n);
  cudaFuncSetAttribute(full, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  full<<<1, 256, bytes>>>(x, total);
}
