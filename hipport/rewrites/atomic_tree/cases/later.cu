// offers: atomic-tree atomic-tree atomic-tree
// The counts are read again: a barrier stands behind each tree, once.
__global__ void share(const int* x, int* high, int* low, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] > 50) atomicAdd(high + blockIdx.x, 1);
  __syncthreads();
  out[i] = x[i] / (float)(1 + high[blockIdx.x]);
  if (x[i] < 20) {
    atomicAdd(low, 1);
  }
  if (x[i] < 20) out[i] = *low > 0 ? 1.0f : 0.0f;
}
__global__ void last(const int* x, int* total, unsigned* done, int* out) {
  atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __threadfence();
  if (threadIdx.x == blockDim.x - 1 && atomicInc(done, gridDim.x - 1) == gridDim.x - 1) {
    __threadfence();
    *out = atomicAdd(total, 0);
  }
}
