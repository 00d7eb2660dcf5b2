// expect: barrier-divergence barrier-divergence barrier-divergence
// Threads that leave from within a branch or a loop, before a barrier that the others wait at.
__global__ void single(const int* x, int* y, int n, int few) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  if (few) {
    if (t == 0) {
      for (int k = 0; k < 2; ++k) y[i] += s[0];
      return;
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (s[t] + k == 5) return;
  }
  const int there = __syncthreads_count(true);
  if (i < n) y[i] = there + s[t == few ? t : t - 1];
}
__global__ void either(float* x, int n) {
  if (threadIdx.x < n) {
    x[threadIdx.x] = 3;
    __syncthreads();
    x[threadIdx.x] += x[0];
  } else {
    x[0] = 1;
  }
  if (threadIdx.x == 3) __syncthreads();
}
__global__ void two(float* x, int n, int m) {
  if (threadIdx.x < n) {
    x[threadIdx.x] = 3;
    __syncthreads();
    x[threadIdx.x] += x[0];
  }
  if (threadIdx.x < m) {
    __syncthreads();
    x[threadIdx.x] += x[1];
  }
}
