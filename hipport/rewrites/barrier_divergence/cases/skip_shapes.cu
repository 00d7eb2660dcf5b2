// Shapes that only the syntax tells: other branches, an end that was rounded up, what a lambda gives.
__global__ void branches(const int* x, int* y, int n, int mode) {  // who returns would not have met this barrier
  __shared__ int s[64];
  if (mode) {
    if (threadIdx.x >= n) return;
    y[threadIdx.x] = x[threadIdx.x];
  } else {
    s[threadIdx.x % 64] = n;
    __syncthreads();
    y[threadIdx.x] = s[0];
  }
}
__global__ void rounded_up(const int* x, int* y, int n) {
  const int turns = ((n + blockDim.x - 1) / blockDim.x) * blockDim.x;
  for (int i = threadIdx.x; i < turns; i += blockDim.x) {
    const int v = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = v;
  }
}
__global__ void by_lambda(int* x, int n) {
  __shared__ int total;
  auto step = [&](int k) {
    if (threadIdx.x == 0) total = x[k];
    __syncthreads();
    return total > n;
  };
  for (int k = 0; k < 4; ++k) {
    if (step(k)) break;
    __syncthreads();
  }
}
