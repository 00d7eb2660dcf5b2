// expect: grid-limit grid-limit grid-limit
__global__ void scale(float* x, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= 2;
}
__global__ void twice(float* x, int64_t n) {
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= 2;
}
__global__ void add(float* x, int64_t n) {
  CUDA_KERNEL_LOOP(i, n) { x[i] += 1; }
}
void run(float* x, int64_t n) {
  twice<<<(n + 255) / 256, 256>>>(x, n);
  const int64_t blocks = (n + 511) / 512;
  add<<<blocks, 512>>>(x, n);
  scale<<<(n + 255) / 256, 256>>>(x, n);
}
