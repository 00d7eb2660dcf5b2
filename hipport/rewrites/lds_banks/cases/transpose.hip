// offers: lds-banks
#define TILE 32
__global__ void transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  const int tx = threadIdx.x;
  for (int j = 0; j < TILE; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + 0][tx] = in[(y + j) * w + x];
  __syncthreads();
  if (x < w && y < h) out[x * h + y] = tile[tx][threadIdx.y];
}
void run(const float* in, float* out, int w, int h) {
  dim3 block(TILE, 8);
  transpose<<<dim3(4, 4), block>>>(in, out, w, h);
}
