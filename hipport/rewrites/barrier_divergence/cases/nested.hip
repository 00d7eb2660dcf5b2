// expect: barrier-divergence barrier-divergence barrier-divergence
// Threads that leave from within a branch or a loop, before a barrier that the others wait at.
__global__ void single(const int* x, int* y, int n, int few) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  bool hipport_active = true;
  if (few) {
    if (t == 0) {
      for (int k = 0; k < 2; ++k) y[i] += s[0];
      hipport_active = false;
    }
  }
  if (hipport_active) for (int k = 0; k < 3; ++k) {
    if (s[t] + k == 5) { hipport_active = false; break; }
  }
  const int there = __syncthreads_count(hipport_active && (true));
  if (!hipport_active) return;
  if (i < n) y[i] = there + s[t == few ? t : t - 1];
}
__global__ void either(float* x, int n) {
  {
  const bool hipport_active = (threadIdx.x < n);
    if (hipport_active) x[threadIdx.x] = 3;
    __syncthreads();
  if (hipport_active) {
    x[threadIdx.x] += x[0];
  }
    if (!hipport_active) {
    x[0] = 1;
  }
  }
  {
  const bool hipport_active2 = (threadIdx.x == 3); __syncthreads();
  }
}
__global__ void two(float* x, int n, int m) {
  {
  const bool hipport_active = (threadIdx.x < n);
    if (hipport_active) x[threadIdx.x] = 3;
    __syncthreads();
  if (hipport_active) {
    x[threadIdx.x] += x[0];
  }
  }
  {
  const bool hipport_active2 = (threadIdx.x < m);
    __syncthreads();
  if (hipport_active2) {
    x[threadIdx.x] += x[1];
  }
  }
}
