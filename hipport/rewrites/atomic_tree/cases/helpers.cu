// offers: atomic-tree atomic-tree
// Counters in functions that a kernel calls are told; those of one thread, of addresses of a thread's own and in LDS not.
__device__ int everything;
__device__ void report(int* errors, int v) {
  if (v < 0) atomicAdd(errors, 1);
}
__device__ void count() { atomicAdd(&everything, 1); }
__device__ void scatter(float* address, float v) { atomicAdd(address, v); }
__device__ void bin(int* bins, int at) {
  const int low = at & 7;
  atomicAdd(&bins[low], 1);
}
__device__ int take(int* n) { return atomicAdd(n, 1); }
__global__ void helped(const int* x, int* errors, float* y, int* list, int n) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    report(errors, x[i]);
    report(errors, x[i] - 1);
    report(&part, x[i]);
    count();
    bin(errors, x[i]);
    scatter(y + x[i], 1.0f);
    if (x[i] > 3) list[take(errors + 2)] = i;
  }
  if (threadIdx.x == 0) report(errors + 1, part);
}
