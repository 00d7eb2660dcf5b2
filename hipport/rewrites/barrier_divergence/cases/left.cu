// expect: half-wave-wait barrier-divergence barrier-divergence barrier-divergence barrier-divergence
// Where it is not known what the other threads may do, the return stays and a person is told.
#define LEAVE(c) if (c) return
__global__ void pair(float* x, int n) {
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    __syncthreads();
    return;
  }
  x[threadIdx.x] = 2;
  __syncthreads();
  x[n] = x[0];
}
__global__ void either(float* x, int n) {
  if (threadIdx.x < n) {
    __syncthreads();
  } else {
    x[0] = 1;
  }
}
__global__ void hidden(float* x, int n) {
  LEAVE(threadIdx.x >= n);
  x[threadIdx.x] = 1;
  __syncthreads();
}
__global__ void lengths(const int* len, float* x, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const int many = len[blockIdx.x];
  const int half = many / 2;
  for (int j = 0; j < half; ++j) {
    x[i] += j;
    __syncthreads();
  }
}
