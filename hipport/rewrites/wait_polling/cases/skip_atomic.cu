// expect: atomic-spin
__global__ void scan(int* flags, int* x) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&flags[blockIdx.x], 0) == 0) {}
    int n = 0;
    while (x[n] != 0) ++n;
    x[0] = n;
  }
}
