// offers: atomic-tree atomic-tree
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
