// expect: shuffle-width shuffle-width shuffle-width
#define FULL 0xffffffffu
__global__ void rows(const float* x, float* y) {
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(FULL, v, o);
  v = __shfl_sync(FULL, v, 0);
  y[threadIdx.x] = v + __shfl_up_sync(FULL, v, 1, 16);
}
