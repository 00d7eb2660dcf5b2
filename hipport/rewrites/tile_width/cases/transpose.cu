// offers: tile-width
#define TILE 32
__global__ void transpose(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int i = blockIdx.x * TILE + threadIdx.x, j = blockIdx.y * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * TILE + threadIdx.x, j = blockIdx.x * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) y[(j + k) * n + i] = tile[threadIdx.x][threadIdx.y + k];
}
void run(const float* x, float* y, int n) {
  const dim3 grid(64, 64), block(TILE, 8);
  transpose<<<grid, block>>>(x, y, n);
}
