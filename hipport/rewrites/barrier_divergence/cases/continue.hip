// expect: barrier-divergence barrier-divergence
__global__ void shifted(const int* x, int* y, int n, int turns) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  for (int k = 0; k < turns; ++k) {
    const int i = (blockIdx.x * turns + turns - 1 - k) * blockDim.x + t;
    bool hipport_active = !(i >= n);
    if (hipport_active) s[t] = x[i];
    __syncthreads();
    const int first = hipport_active ? static_cast<int>(s[0]) : int();
    __syncthreads();
  if (hipport_active) {
    y[i] = x[i] - first;
  }
  }
}
__global__ void twice(int* x, int n, int turns) {
  const int t = threadIdx.x;
  bool hipport_active = !(t >= n);
  for (int k = 0; k < turns; ++k) {
  bool hipport_active2 = hipport_active;
    if (hipport_active2 && (t < k)) hipport_active2 = false;
    for (int j = 0; j < 2; ++j) {
  bool hipport_active3 = hipport_active2;
      if (hipport_active3) if (t + j == 7) {
        x[t] = 7;
        hipport_active3 = false;
      }
      __syncthreads();
  if (hipport_active3) {
      x[t] += j;
  }
    }
    if (hipport_active2 && (t % 2)) hipport_active2 = false;
    __syncthreads();
  }
}
