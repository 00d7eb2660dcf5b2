// warp: native
// expect: shuffle-width ballot-width
// offers: wave-width lane-xor
__global__ void rows(const float* x, float* y, unsigned* words) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float v = x[row * 32 + threadIdx.x % 32];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  words[row] = __ballot_sync(0xffffffff, v > 0);
}
void run(const float* x, float* y, unsigned* w, int n) { rows<<<n / 4, 128>>>(x, y, w); }
