// offers: atomic-tree atomic-tree atomic-tree
// Addresses made in a block within are written out where the block meets; other ways to a counter are seen.
__global__ void rows(const int* x, int* totals, int n) {
  const int width = blockDim.x * gridDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hipport_sum = 0;
  unsigned hipport_sum1 = 0;
  if (!(i >= n)) {
  int* mine = totals + blockIdx.y;
  for (int k = i; k < n; k += width) {
    const int row = 2 + (int)blockIdx.y;
    hipport_sum += (int)(x[k]);
    hipport_sum1 += 1;
  }
  }
  hipport::block_add(&totals[((int)(2 + (int)blockIdx.y))], hipport_sum);
  __syncthreads();
  hipport::block_add(((int *)(totals + blockIdx.y)), hipport_sum1);
}
__global__ void read(const int* x, int* totals, int* y, int n) {
  int* mine = totals + blockIdx.y;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(mine, x[i]);
    y[i] = totals[blockIdx.y];
  }
}
__global__ void alias(const int* x, int* totals, int* y, int n) {
  int* mine = totals + blockIdx.y;
  int* other = &totals[blockIdx.y];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(mine, x[i]);
    y[i] = *other;
  }
}
