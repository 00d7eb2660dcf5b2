// offers: atomic-tree
// Early returns become branches; blocks of two dimensions.
__global__ void image(const unsigned char* x, int width, int height, unsigned* lit, int* brightest, int* mask) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned hipport_sum = 0;
  int hipport_best1 = -0x7fffffff - 1;
  int hipport_bits2 = 0;
  if (!(column >= width || row >= height)) {
  const int v = x[row * width + column];
  if (!(v < 3)) {
  if (v > 100) hipport_sum += (unsigned int)(1u);
  hipport_best1 = hipport::Most()(hipport_best1, (int)(v));
  hipport_bits2 |= (int)(1 << (v & 31));
  }
  }
  hipport::block_add(lit, hipport_sum);
  __syncthreads();
  hipport::block_max(brightest, hipport_best1);
  __syncthreads();
  hipport::block_or(mask, hipport_bits2);
}
