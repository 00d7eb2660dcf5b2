// offers: load-chain
// Halves, a structure of pointers, and a loop of few turns inside.
struct Bags {
  const int* index;
  const int* offset;
};
__global__ void halves(const unsigned short* table, const int* index, const int* offset, float* out, int width) {
  const Bags bags = {index, offset};
  for (int c = threadIdx.x * 4; c < width; c += blockDim.x * 4) {
    float sum[4] = {0, 0, 0, 0};
    #pragma unroll 8
    for (int k = bags.offset[blockIdx.x]; k < bags.offset[blockIdx.x + 1]; ++k) {
      const long at = bags.index[k];
      for (int j = 0; j < 4; ++j) sum[j] += table[at * width + c + j] * 0.5f;
    }
    for (int j = 0; j < 4; ++j) out[blockIdx.x * width + c + j] = sum[j];
  }
}
