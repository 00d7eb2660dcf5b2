// offers: atomic-tree
// Members of what a parameter points to, with another of them read beside.
struct Stats {
  int errors, limit;
  unsigned long long bytes;
  int highest[2];
};
__global__ void check(const int* x, Stats* stats, int* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    if (x[k] > stats->limit) {
      atomicAdd(&stats->errors, 1);
      continue;
    }
    atomicAdd(&stats->bytes, (unsigned long long)x[k]);
    atomicMax(&stats->highest[1], x[k]);
    kept[k] = x[k];
  }
}
