// offers: block-shape block-shape block-shape
// Grids of two dimensions, in a variable, behind a template, and what a kernel asks of its grid and block.
#define SIDE 5
__device__ float twice(float v) { return 2 * v; }
template <typename T>
__global__ void sides(const T* x, T* y, int n) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * gridDim.y * blockDim.x * blockDim.y) {
    if (x[i] < 0) return;
    y[i] = twice(x[i]) + (blockIdx.x == gridDim.x - 1);
  }
}
__global__ void none() {
  if (blockIdx.x == 3) printf("%d", threadIdx.x);
}
__global__ void line(float* y) { y[blockIdx.x * 32 + threadIdx.x] = 1; }
void run(const float* x, float* y, int n, cudaStream_t stream) {
  dim3 block(SIDE, SIDE), grid(n, 3);
  sides<float><<<grid, block>>>(x, y, n);
  none<<<n / 4, 32>>>();
  if (n > 3) line<<<(n + 31) / 32, 32, 0, stream>>>(y);
}
