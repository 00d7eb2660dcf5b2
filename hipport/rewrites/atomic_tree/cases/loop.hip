// offers: atomic-tree atomic-tree
// A grid-stride loop with two counters, one of them updated in two places.
__global__ void check(const int* x, int n, int* bad, unsigned long long* sum) {
  const int all = gridDim.x * blockDim.x;
  unsigned hipport_sum = 0;
  unsigned long long hipport_sum1 = 0;
#pragma unroll 2
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
    if (x[i] < 0) {
      hipport_sum += 1;
      continue;
    }
    if (x[i] > 90) hipport_sum += 2;
    hipport_sum1 += (unsigned long long)x[i];
  }
  hipport::block_add(&bad[0], hipport_sum);
  __syncthreads();
  hipport::block_add(sum, hipport_sum1);
}
