__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x % 32, y = threadIdx.x / 32;
  tile[y][threadIdx.x & 31] = in[y * n + x];
  __syncthreads();
  out[x * n + y] = tile[threadIdx.x & 31][y] + (n >> 5);
}
