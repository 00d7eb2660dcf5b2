// offers: atomic-tree
// Early returns become branches; blocks of two dimensions.
__global__ void image(const unsigned char* x, int width, int height, unsigned* lit, int* brightest, int* mask) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const int v = x[row * width + column];
  if (v < 3) {
    return;
  }
  if (v > 100) atomicAdd(lit, 1u);
  atomicMax(brightest, v);
  atomicOr(mask, 1 << (v & 31));
}
