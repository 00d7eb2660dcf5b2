extern "C" __global__ void block_tree(const int* x, int* out, unsigned long long* wide, float* real) {
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  hipport::block_add(out, (unsigned)x[t]);
  __syncthreads();
  hipport::block_min(out + 1, x[t]);
  hipport::block_max(out + 2, x[t]);
  hipport::block_or(out + 3, x[t]);
  hipport::block_and(out + 4, x[t]);
  hipport::block_add(wide, (unsigned long long)x[t] << 20);
  hipport::block_add(real, (float)x[t]);
}
