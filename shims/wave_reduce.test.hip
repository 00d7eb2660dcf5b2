struct Add { __device__ int operator()(int a, int b) const { return a + b; } };
template <int W> __device__ int sum(int v) { return hipport::wave_reduce<W>(v, Add()); }
extern "C" __global__ void wave_reduce(const int* x, int* out, int* total) {
  __shared__ int partials[32];
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (blockDim.x * blockDim.y % 64 == 0) {
    out[t * 6] = sum<1>(x[t]); out[t * 6 + 1] = sum<2>(x[t]); out[t * 6 + 2] = sum<4>(x[t]);
    out[t * 6 + 3] = sum<8>(x[t]); out[t * 6 + 4] = sum<16>(x[t]); out[t * 6 + 5] = sum<32>(x[t]);
  }
  int all = hipport::block_reduce(x[t], 0, Add(), partials);
  if (t == 0) *total = all;
}
