extern "C" __global__ void block_bins(const int* x, int* out, unsigned long long* wide, float* real) {
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  __shared__ int bins[64];
  __shared__ unsigned long long many[16];
  __shared__ float sums[8];
  hipport::clear_bins(bins);
  hipport::clear_bins(many);
  hipport::clear_bins(sums);
  __syncthreads();
  atomicAdd(&bins[x[t] & 63], 1);
  atomicAdd(&many[x[t] & 15], 1ull << 40);
  atomicAdd(&sums[x[t] & 7], 0.5f);
  __syncthreads();
  hipport::flush_bins(bins, out);
  hipport::flush_bins(many, wide);
  hipport::flush_bins(sums, real);
}
