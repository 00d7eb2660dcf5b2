// offers: atomic-tree atomic-tree atomic-tree
// The counts are read again: a barrier stands behind each tree, once.
__global__ void share(const int* x, int* high, int* low, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hipport_sum = 0;
  if (x[i] > 50) hipport_sum += 1;
  hipport::block_add(high + blockIdx.x, hipport_sum);
  __syncthreads();
  out[i] = x[i] / (float)(1 + high[blockIdx.x]);
  unsigned hipport_sum1 = 0;
  if (x[i] < 20) {
    hipport_sum1 += 1;
  }
  hipport::block_add(low, hipport_sum1);
  __syncthreads();
  if (x[i] < 20) out[i] = *low > 0 ? 1.0f : 0.0f;
}
__global__ void last(const int* x, int* total, unsigned* done, int* out) {
  unsigned hipport_sum = 0;
  hipport_sum += (int)(x[blockIdx.x * blockDim.x + threadIdx.x]);
  hipport::block_add(total, hipport_sum);
  __syncthreads();
  __threadfence();
  if (threadIdx.x == blockDim.x - 1 && atomicInc(done, gridDim.x - 1) == gridDim.x - 1) {
    __threadfence();
    *out = atomicAdd(total, 0);
  }
}
