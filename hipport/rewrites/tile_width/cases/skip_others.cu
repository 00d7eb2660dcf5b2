// Tiles of a wave, tiles that are read along their rows alone, blocks that are not a warp wide, and others.
__global__ void wave(const float* x, float* y, int n) {
  __shared__ float tile[16][65];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[32][33], right[32][33];
  float sum = 0;
  left[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x];
  right[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
  c[threadIdx.y * n + threadIdx.x] = sum;
}
__global__ void square(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(const float* x, float* y, int n) {
  wave<<<64, dim3(64, 3)>>>(x, y, n);
  product<<<64, dim3(32, 32)>>>(x, x, y, n);
  square<<<64, dim3(16, 16)>>>(x, y, n);
}
