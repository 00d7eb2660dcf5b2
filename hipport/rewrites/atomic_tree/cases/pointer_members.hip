// offers: atomic-tree
// Members of what a parameter points to, with another of them read beside.
struct Stats {
  int errors, limit;
  unsigned long long bytes;
  int highest[2];
};
__global__ void check(const int* x, Stats* stats, int* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hipport_sum = 0;
  unsigned long long hipport_sum1 = 0;
  int hipport_best2 = -0x7fffffff - 1;
  if (!(i >= n)) {
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    if (x[k] > stats->limit) {
      hipport_sum += 1;
      continue;
    }
    hipport_sum1 += (unsigned long long)x[k];
    hipport_best2 = hipport::Most()(hipport_best2, (int)(x[k]));
    kept[k] = x[k];
  }
  }
  hipport::block_add(&stats->errors, hipport_sum);
  __syncthreads();
  hipport::block_add(&stats->bytes, hipport_sum1);
  __syncthreads();
  hipport::block_max(&stats->highest[1], hipport_best2);
}
