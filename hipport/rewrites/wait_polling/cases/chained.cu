// expect: wait-polling
// Each block adds what the one before it has found.
__global__ void chained(const int* x, int* y, volatile int* flags, volatile int* sums, int* ticket) {
  __shared__ int block, before;
  if (threadIdx.x == 0) {
    block = atomicAdd(ticket, 1);
    before = 0;
    if (block > 0) {
      while (flags[block - 1] == 0) {
      }
      before = sums[block - 1];
    }
    int sum = before;
    for (int k = 0; k < blockDim.x; ++k) sum += x[block * blockDim.x + k];
    sums[block] = sum;
    __threadfence();
    flags[block] = 1;
  }
  __syncthreads();
  const int i = block * blockDim.x + threadIdx.x;
  y[i] = before + x[i];
}
