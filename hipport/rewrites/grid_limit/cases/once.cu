// expect: grid-limit
__global__ void once(float* x, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
template <class Tensor>
void run(float* x, Tensor t, int64_t n) {
  dim3 block(256), grid((t.numel() + block.x - 1) / block.x);
  once<<<grid, block>>>(x, n);
  once<<<(n + 127) / 128, 128>>>(x, n);
  once<<<1 << 24, 256>>>(x, n);
}
