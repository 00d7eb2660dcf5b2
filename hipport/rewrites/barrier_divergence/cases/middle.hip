// expect: barrier-divergence
__global__ void middle(const int* x, int* y, int n, int only) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v = i < n ? x[i] : 0;
  bool hipport_active = true;
  if (t % 2 == 0) {
    v += 3;
    if (only) {
      if (i < n) y[i] = v;
      hipport_active = false;
    }
  if (hipport_active) {
    const int w = v * 2;
    v = w + 1;
    for (int k = 0; k < 4; ++k) {
      if (v % 8 == k) { hipport_active = false; break; }
      v += 8;
    }
  if (hipport_active) {
    v += 100;
  }
  }
  }
  const int there = __syncthreads_count(hipport_active && (v > 50));
  if (!hipport_active) return;
  if (i < n) y[i] = v + there;
}
