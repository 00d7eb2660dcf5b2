// All threads of a block decide alike, or leave after the last barrier.
__global__ void k(float* x, int n, int rows) {
  __shared__ float s[256];
  const int row = blockIdx.x, tid = threadIdx.x;
  if (row >= rows) return;
  for (int r = 0; r < rows; ++r) {
    if (tid < n) s[tid] = x[tid];
    __syncthreads();
  }
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (tid < o) s[tid] += s[tid + o];
    __syncthreads();
  }
  int j;
  for (j = tid; j < n; j += 256) x[j] = 0;
  for (j = 128; j > 0; j /= 2) __syncthreads();
  bool done = tid >= n;
  while (__syncthreads_count(done) < 256) {
    const int left = __syncthreads_count(tid > 3);
    if (left == 256) break;
    if (left == 255) return;
    __syncthreads();
    done = true;
  }
  auto add = [&](int v) { if (tid > 3) return 0; return v; };
  if (n > 4) __syncthreads();
  if (tid >= n) return;
  x[tid] = s[0] + add(1);
}
__global__ void windows(const int* begin, float* x) {
  __shared__ int top, stop;
  if (threadIdx.x == 0) top = begin[blockIdx.x];
  if (threadIdx.x == 32) stop = begin[blockIdx.x + 1];
  __syncthreads();
  while (top < stop) {
    x[top + threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) top += threadIdx.x + 1;
    __syncthreads();
  }
}
