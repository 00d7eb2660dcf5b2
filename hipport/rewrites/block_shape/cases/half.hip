// offers: block-shape block-shape
#define THREADS 32
__global__ void k(unsigned hipport_blocks, float* x) {
  const unsigned hipport_block = blockIdx.x * 2 + threadIdx.x / 32;
  const unsigned hipport_x = threadIdx.x % 32;
  if (hipport_block >= hipport_blocks) return; x[hipport_block * 32u + hipport_x] = 1; }
__global__ void m(unsigned hipport_blocks, float* x) {
  const unsigned hipport_block = blockIdx.x * 3 + threadIdx.x / 72;
  const unsigned hipport_x = threadIdx.x % 8, hipport_y = threadIdx.x % 72 / 8;
  if (threadIdx.x >= 216 || hipport_block >= hipport_blocks) return; x[hipport_block * 8u + hipport_x] = 1; }
void run(float* x, int n) {
  k<<<(256 + 1) / 2, 64>>>(256, x);
  m<<<(128 + 2) / 3, 256>>>(128, x);
  k<<<(4 + 1) / 2, 64>>>(4, x);
}
