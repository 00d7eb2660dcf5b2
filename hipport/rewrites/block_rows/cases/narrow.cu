// offers: block-rows block-rows
#define TILE 8
__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n) y[j * n + i] = 2 * x[j * n + i];
}
__global__ void pixels(const unsigned char* x, unsigned char* y, int pitch) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
  y[i + pitch * j] = 255 - x[i + pitch * j];
}
void run(float* x, unsigned char* p, int n) {
  const dim3 block(TILE, 32);
  twice<<<dim3(n / TILE, n / 32), block>>>(x, x, n);
  pixels<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(p, p, n);
}
