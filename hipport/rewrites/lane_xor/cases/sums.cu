// expect: shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width
// offers: lane-xor wave-width lane-xor wave-width lane-xor
#define FULL 0xffffffffu
template <typename T, int W = 32>
__device__ T sum(T v) {
#pragma unroll
  for (int m = W / 2; m > 0; m >>= 1) v += __shfl_xor_sync(FULL, v, m, W);
  return v;
}
__device__ float largest(float v) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_xor_sync(0xffffffff, v, offset);
    v = v < other ? other : v;
  }
  return v;
}
__global__ void sums(const int* x, const double* d, int* y, double* z, float* w, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int v = t < n ? x[t] : 0;
  const int flipped = __shfl_xor_sync(~0u, v, 0xf), low = __shfl_xor_sync(-1, (unsigned char)v, 1);
  const int pairs = __shfl_xor_sync(0xffffffff, v, 3, 4), quads = __shfl_xor_sync(FULL, v, 4, 8);
  const int all = sum(v), eight = sum<int, 8>(v);
  const double every = sum(t < n ? d[t] : 0.0);
  const float high = largest((float)v);
  if (t < n) {
    int* row = y + t * 6;
    row[0] = flipped, row[1] = low, row[2] = pairs, row[3] = quads, row[4] = all + lane, row[5] = eight;
    z[t] = every;
    w[t] = high;
  }
}
