// expect: barrier-divergence barrier-divergence barrier-divergence
// Threads with rows of different lengths: the block turns until the last of them is done.
__global__ void rows(const int* from, const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool hipport_active = !(i >= n);
  int sum = 0;
  {
  bool hipport_active2 = hipport_active;
  for (int j = hipport_active ? static_cast<int>(from[i]) : int();; hipport_active2 ? (void)(++j) : (void)0) {
  hipport_active2 = hipport_active2 && (j < from[i + 1]);
  if (!__syncthreads_or(hipport_active2)) break;
  bool hipport_active3 = hipport_active2;
    if (hipport_active3 && (x[j] == 0)) hipport_active2 = hipport_active3 = false;
    const int there = __syncthreads_count(hipport_active3 && (true));
  if (hipport_active3) {
    if (x[j] == 1) continue;
    sum += there;
  }
  }
  }
  if (!hipport_active) return;
  y[i] = sum;
}
__global__ void whiles(int* x, int n) {
  int i = threadIdx.x, k = 0;
  bool hipport_active = true;
  {
  bool hipport_active2 = hipport_active;
  while (true) {
  hipport_active2 = hipport_active2 && (i < n);
  if (!__syncthreads_or(hipport_active2)) break;
    if (hipport_active2 && (x[i] < 0)) hipport_active = hipport_active2 = false;
    __syncthreads();
  if (hipport_active2) {
    i += blockDim.x;
  }
  }
  }
  {
  bool hipport_active3 = hipport_active;
  do {
    if (hipport_active3) x[threadIdx.x] += k;
    __syncthreads();
  } while (__syncthreads_or(hipport_active3 = hipport_active3 && (++k < i % 3)));
  }
}
__global__ void lengths(const int* len, float* x, int n) {
  const int i = threadIdx.x;
  bool hipport_active = !(i >= n);
  const int many = hipport_active ? static_cast<int>(len[blockIdx.x]) : int();
  const int half = many / 2;
  {
  bool hipport_active2 = hipport_active;
  for (int j = 0;; hipport_active2 ? (void)(++j) : (void)0) {
  hipport_active2 = hipport_active2 && (j < half);
  if (!__syncthreads_or(hipport_active2)) break;
    if (hipport_active2) x[i] += j;
    __syncthreads();
  }
  }
}
