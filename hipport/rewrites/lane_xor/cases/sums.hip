// expect: shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width
// offers: lane-xor wave-width lane-xor wave-width lane-xor
#define FULL 0xffffffffu
template <typename T, int W = 32>
__device__ T sum(T v) {
#pragma unroll
  for (int m = W / 2; m > 0; m >>= 1) v += hipport::__shfl_xor(v, m, W);
  return v;
}
__device__ float largest(float v) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = hipport::__shfl_xor(v, offset, 32);
    v = v < other ? other : v;
  }
  return v;
}
__global__ void sums(const int* x, const double* d, int* y, double* z, float* w, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int v = t < n ? x[t] : 0;
  const int flipped = hipport::__shfl_xor(v, 0xf, 32), low = hipport::__shfl_xor((unsigned char)v, 1, 32);
  const int pairs = hipport::__shfl_xor(v, 3, 4), quads = hipport::__shfl_xor(v, 4, 8);
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
