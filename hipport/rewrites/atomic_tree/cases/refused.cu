// What stands in the way is told, and nothing is written.
// offers: atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree
// expect: barrier-divergence
__global__ void returns(const int* x, int* total, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (x[i] < 0) return;
    atomicAdd(total, x[i]);
  }
}
__global__ void beside(const int* x, int* total, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(total, x[i]);
    if (*total > 100) break;
  }
}
__global__ void fenced(const int* x, int* total, int* flag) {
  if (x[threadIdx.x]) {
    atomicAdd(total, 1);
    __threadfence();
    flag[threadIdx.x] = 1;
  }
}
__global__ void barrier(const int* x, int* total, int* out, int n) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  atomicAdd(total, s[threadIdx.x ^ 1]);
}
template <typename T>
__global__ void of_any_type(const T* x, T* total) { atomicAdd(total, x[threadIdx.x]); }
__global__ void counts(const int* x, int* seen) { if (x[threadIdx.x]) atomicAdd(seen, 1); }
void run(const int* x) {
  int* seen;
  cudaMalloc(&seen, sizeof(int));
  cudaMemset(seen, 0, sizeof(int));
  counts<<<4, 256>>>(x, seen);
  cudaFree(seen);
}
