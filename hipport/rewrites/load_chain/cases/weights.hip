// offers: load-chain
// Two accumulators, weights, and a `while` that counts by itself.
__global__ void weights(const float* table, const long* index, const float* weight, const int* offset, float* out, int width) {
  const int last = offset[blockIdx.x + 1];
  for (int c = threadIdx.x; c < width; c += blockDim.x) {
    float low = 0, high = 0;
    int k = offset[blockIdx.x];
    #pragma unroll 4
    while (k < last) {
      const long at = index[k];
      const float w = weight[k];
      low += w * table[at * 2 * width + c];
      high = fmaf(w, table[at * 2 * width + width + c], high);
      ++k;
    }
    out[blockIdx.x * width + c] = low + high;
  }
}
