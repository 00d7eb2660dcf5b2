// offers: atomic-tree
// A floating-point sum has another order: for review.
__device__ double energy[2];
__global__ void norm(const float* x, int n, float* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float hipport_sum = 0;
  if (i < n) {
    float v = x[i];
    hipport_sum += (float)(v * v);
  }
  hipport::block_add(total, hipport_sum);
}
