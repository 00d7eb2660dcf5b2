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
  unsigned hipport_sum = 0;
  int hipport_bits1 = 0;
  unsigned hipport_sum2 = 0;
  int hipport_best3 = -0x7fffffff - 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < work.n; i += gridDim.x * blockDim.x) {
    const int v = work.x[i];
    if (v < 0) {
      hipport_sum += 1;
      hipport_bits1 |= (int)(1 << (v & 7));
      continue;
    }
    hipport_sum2 += (int)(v & 1);
    hipport_best3 = hipport::Most()(hipport_best3, (int)(v));
  }
  hipport::block_add(&work.stats->errors, hipport_sum);
  __syncthreads();
  hipport::block_or(&work.stats->flags, hipport_bits1);
  __syncthreads();
  hipport::block_add(work.warnings, hipport_sum2);
  __syncthreads();
  hipport::block_max(&work.stats->highest[1], hipport_best3);
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
