// expect: wait-polling
__global__ void scan(volatile int* flags, int* x) {
  if (threadIdx.x == 0) {
    while (flags[blockIdx.x] == 0) __threadfence();
    x[0] = flags[blockIdx.x];
  }
}
