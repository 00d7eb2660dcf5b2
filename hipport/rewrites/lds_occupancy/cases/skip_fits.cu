// Small sizes, sizes that nobody knows, sizes that are far from the next block, and blocks that waves limit.
template <int N> __global__ void open(float* x) {
  __shared__ float tile[N];
  tile[threadIdx.x] = x[0];
  x[1] = tile[0];
}
__global__ void plain(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[0];
  x[1] = s[0];
}
template <int N> void launched_elsewhere(float* x) { open<N><<<64, 128>>>(x); }
void run(float* x, int bytes) {
  plain<<<64, 128, bytes>>>(x);
  plain<<<64, 128, 2048>>>(x);
  plain<<<64, 128, 50000>>>(x);
  plain<<<64, 1024, 40000>>>(x);
}
