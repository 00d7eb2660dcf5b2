// Rows of a segment, rows that lie one after the other, threads along a column, blocks of one row, LDS, unknown indices.
__global__ void wide(const float* x, float* y, int n) {
  __shared__ float tile[8][9];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y % 8][threadIdx.x % 8] = 1;
  y[j * n + i] = x[j * n + i] + tile[threadIdx.x % 8][0];
}
__global__ void along(const float* x, float* y, int n) {
  y[threadIdx.y * 8 + threadIdx.x + blockIdx.x * 64] = x[threadIdx.y * 8 + threadIdx.x + blockIdx.x * 64];
}
__global__ void down(const float* x, float* y, int n) {
  y[threadIdx.x * n + threadIdx.y] = x[threadIdx.x * n];
}
__global__ void looked(const float* x, float* y, const int* at) {
  y[at[threadIdx.x + 8 * threadIdx.y]] = x[at[threadIdx.y] + threadIdx.x % 4];
  for (int i = threadIdx.x; i < 100; i += blockDim.x) y[i + 1000 * threadIdx.y] = 0;
}
__global__ void doubles(const double* x, double* y, int n) { y[threadIdx.y * n + threadIdx.x] = x[threadIdx.y * n + threadIdx.x]; }
__global__ void few(float* y, int n) { y[threadIdx.y * n + threadIdx.x] = 0; }
void run(float* x, double* d, int* at, int n) {
  wide<<<64, dim3(32, 8)>>>(x, x, n);
  along<<<64, dim3(8, 8)>>>(x, x, n);
  down<<<64, dim3(8, 16)>>>(x, x, n);
  looked<<<64, dim3(8, 16)>>>(x, x, at);
  doubles<<<64, dim3(8, 16)>>>(d, d, n);
  few<<<1, dim3(4, 4)>>>(x, n);
}
