// expect: barrier-divergence
__global__ void middle(const int* x, int* y, int n, int only) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v = i < n ? x[i] : 0;
  if (t % 2 == 0) {
    v += 3;
    if (only) {
      if (i < n) y[i] = v;
      return;
    }
    const int w = v * 2;
    v = w + 1;
    for (int k = 0; k < 4; ++k) {
      if (v % 8 == k) return;
      v += 8;
    }
    v += 100;
  }
  const int there = __syncthreads_count(v > 50);
  if (i < n) y[i] = v + there;
}
