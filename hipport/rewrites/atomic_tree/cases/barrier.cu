// expect: barrier-divergence
// offers: atomic-tree
// A barrier follows an early return: that is mended first, and no tree is made.
__global__ void barrier(const int* x, int* total, int* out, int n) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  atomicAdd(total, s[threadIdx.x ^ 1]);
}
