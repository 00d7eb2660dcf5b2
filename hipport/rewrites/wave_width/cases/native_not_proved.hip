// warp: native
// expect: shuffle-width ballot-width
// offers: wave-width lane-xor
__global__ void rows(const float* x, float* y, unsigned* words) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float v = x[row * 32 + threadIdx.x % 32];
  for (int o = 16; o > 0; o >>= 1) v += hipport::__shfl_xor(v, o, 32);
  words[row] = (unsigned)(__ballot(v > 0) >> (__lane_id() & 32));
}
void run(const float* x, float* y, unsigned* w, int n) { rows<<<n / 4, 128>>>(x, y, w); }
