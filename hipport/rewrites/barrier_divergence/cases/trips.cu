// expect: barrier-divergence barrier-divergence barrier-divergence
// Threads with rows of different lengths: the block turns until the last of them is done.
__global__ void rows(const int* from, const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int j = from[i]; j < from[i + 1]; ++j) {
    if (x[j] == 0) break;
    const int there = __syncthreads_count(true);
    if (x[j] == 1) continue;
    sum += there;
  }
  y[i] = sum;
}
__global__ void whiles(int* x, int n) {
  int i = threadIdx.x, k = 0;
  while (i < n) {
    if (x[i] < 0) return;
    __syncthreads();
    i += blockDim.x;
  }
  do {
    x[threadIdx.x] += k;
    __syncthreads();
  } while (++k < i % 3);
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
