// What stands in the way is told, and nothing is written.
// offers: atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree
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
__global__ void counts(const int* x, int* seen) { if (x[threadIdx.x]) atomicAdd(seen, 1); }
void run(const int* x) {
  int* seen;
  cudaMalloc(&seen, sizeof(int));
  cudaMemset(seen, 0, sizeof(int));
  counts<<<4, 256>>>(x, seen);
  cudaFree(seen);
}
__global__ void crowd(const int* x, int* counts, float* best) {
  const int v = x[threadIdx.x];
  if (v > 0) atomicAdd(&counts[0], 1);
  if (v > 1) atomicAdd(&counts[1], 1);
  if (v > 2) atomicAdd(&counts[2], 1);
  if (v > 3) atomicAdd(&counts[3], 1);
  if (v > 4) atomicAdd(&counts[4], 1);
}
__global__ void in_turn(const int* x, int* state, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicMax(state, x[i]);
    atomicAdd(state, 1);
  }
}
