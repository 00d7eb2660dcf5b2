// offers: atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree atomic-tree
// Counters that are members, in a branch that goes on with the next turn; the same places by a structure of pointers.
struct Stats {
  int errors, flags;
  unsigned long long bytes;
  int highest[2];
};
struct Work {
  const int* x;
  Stats* stats;
  int *warnings, n;
};
__global__ void check(Work work) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < work.n; i += gridDim.x * blockDim.x) {
    const int v = work.x[i];
    if (v < 0) {
      atomicAdd(&work.stats->errors, 1);
      atomicOr(&work.stats->flags, 1 << (v & 7));
      continue;
    }
    atomicAdd(work.warnings, v & 1);
    atomicMax(&work.stats->highest[1], v);
  }
}
// The counter itself is read beside it, or its structure goes elsewhere.
__global__ void stops(Work work) {
  for (int i = threadIdx.x; i < work.n; i += blockDim.x) {
    atomicAdd(&work.stats->errors, 1);
    if (work.stats->errors > 9) break;
  }
}
__device__ void show(const Stats* stats);
__global__ void shows(Work work) {
  for (int i = threadIdx.x; i < work.n; i += blockDim.x) {
    atomicAdd(&work.stats->errors, 1);
    show(work.stats);
  }
}
