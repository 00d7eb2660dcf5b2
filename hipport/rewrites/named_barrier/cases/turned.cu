// expect: inline-ptx named-barrier inline-ptx
__global__ void turned(const int* x, int* y) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  asm volatile("bar.sync 0;" ::: "memory");
  int v = s[blockDim.x - 1 - t];
  __barrier_sync(0);
  s[t] = v + 1;
  asm volatile("barrier.cta.sync.aligned 0;" : : : "memory");
  y[i] = s[(t + 1) % blockDim.x];
}
