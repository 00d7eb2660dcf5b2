__global__ void k(int* x, int n, int* lock, volatile int* flags) {
  __shared__ int s[256];
  for (int i = 0; i < n; ++i) {
    if (blockIdx.x > 2) __syncthreads();
    s[threadIdx.x] = x[i];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    atomicExch(lock, 0);
  }
  int old = x[0], seen;
  do { seen = old; old = atomicCAS(x, seen, seen + 1); } while (seen != old);
}
