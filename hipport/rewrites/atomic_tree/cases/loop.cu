// offers: atomic-tree atomic-tree
// A grid-stride loop with two counters, one of them updated in two places.
__global__ void check(const int* x, int n, int* bad, unsigned long long* sum) {
  const int all = gridDim.x * blockDim.x;
#pragma unroll 2
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
    if (x[i] < 0) {
      atomicAdd(&bad[0], 1);
      continue;
    }
    if (x[i] > 90) atomicAdd(&bad[0], 2);
    atomicAdd(sum, (unsigned long long)x[i]);
  }
}
