// offers: block-shape block-shape block-shape
// Grids of two dimensions, in a variable, behind a template, and what a kernel asks of its grid and block.
#define SIDE 5
__device__ float twice(float v) { return 2 * v; }
template <typename T>
__global__ void sides(unsigned hipport_blocks, const T* x, T* y, int n) {
  const unsigned hipport_block = blockIdx.x * 5 + threadIdx.x / 25;
  const unsigned hipport_x = threadIdx.x % 5, hipport_y = threadIdx.x % 25 / 5;
  if (threadIdx.x >= 125 || hipport_block >= hipport_blocks) return;
  int i = (blockIdx.y * hipport_blocks + hipport_block) * 5u * 5u + hipport_y * 5u + hipport_x;
  for (; i < n; i += hipport_blocks * gridDim.y * 5u * 5u) {
    if (x[i] < 0) return;
    y[i] = twice(x[i]) + (hipport_block == hipport_blocks - 1);
  }
}
__global__ void none(unsigned hipport_blocks) {
  const unsigned hipport_block = blockIdx.x * 2 + threadIdx.x / 32;
  const unsigned hipport_x = threadIdx.x % 32;
  if (hipport_block >= hipport_blocks) return;
  if (hipport_block == 3) printf("%d", hipport_x);
}
__global__ void line(unsigned hipport_blocks, float* y) {
  const unsigned hipport_block = blockIdx.x * 2 + threadIdx.x / 32;
  const unsigned hipport_x = threadIdx.x % 32;
  if (hipport_block >= hipport_blocks) return; y[hipport_block * 32 + hipport_x] = 1; }
void run(const float* x, float* y, int n, cudaStream_t stream) {
  dim3 block(SIDE, SIDE), grid(n, 3);
  sides<float><<<dim3((grid.x + 4) / 5, grid.y, grid.z), 128>>>(grid.x, x, y, n);
  none<<<(static_cast<unsigned>(n / 4) + 1) / 2, 64>>>(static_cast<unsigned>(n / 4));
  if (n > 3) line<<<(static_cast<unsigned>((n + 31) / 32) + 1) / 2, 64, 0, stream>>>(static_cast<unsigned>((n + 31) / 32), y);
}
