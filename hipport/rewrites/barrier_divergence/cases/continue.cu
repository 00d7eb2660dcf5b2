// expect: barrier-divergence barrier-divergence
__global__ void shifted(const int* x, int* y, int n, int turns) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  for (int k = 0; k < turns; ++k) {
    const int i = (blockIdx.x * turns + turns - 1 - k) * blockDim.x + t;
    if (i >= n) continue;
    s[t] = x[i];
    __syncthreads();
    const int first = s[0];
    __syncthreads();
    y[i] = x[i] - first;
  }
}
__global__ void twice(int* x, int n, int turns) {
  const int t = threadIdx.x;
  if (t >= n) return;
  for (int k = 0; k < turns; ++k) {
    if (t < k) continue;
    for (int j = 0; j < 2; ++j) {
      if (t + j == 7) {
        x[t] = 7;
        continue;
      }
      __syncthreads();
      x[t] += j;
    }
    if (t % 2) continue;
    __syncthreads();
  }
}
