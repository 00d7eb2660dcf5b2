// expect: barrier-divergence
__global__ void mixed(const int* x, int* y, int n, int few, int many) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v;
  {
  const bool hipport_active = (i < n);
    if (hipport_active) s[t] = x[i];
    __syncthreads();
  if (hipport_active) {
    v = s[0];
  }
    if (!hipport_active) {
    v = -1;
  }
  }
  {
  const bool hipport_active2 = (t < few);
    const int large = __syncthreads_count(hipport_active2 && (v > 2));
  if (hipport_active2) {
    v += large;
  }
  }
  int j = t, k = 0;
  bool hipport_active3 = true;
  {
  bool hipport_active4 = hipport_active3;
  while (true) {
  hipport_active4 = hipport_active4 && (j < many);
  if (!__syncthreads_or(hipport_active4)) break;
    if (hipport_active4 && (x[j] == 7)) hipport_active3 = hipport_active4 = false;
    { const auto hipport_met = __syncthreads_count(hipport_active4 && (true)); if (hipport_active4) k += hipport_met; }
  if (hipport_active4) {
    j += blockDim.x;
  }
  }
  }
  {
  bool hipport_active5 = hipport_active3;
  do {
    if (hipport_active5) k += 1;
    __syncthreads();
  } while (__syncthreads_or(hipport_active5 = hipport_active5 && (k < v % 4)));
  }
  if (!hipport_active3) return;
  if (i < n) y[i] = v + k;
}
