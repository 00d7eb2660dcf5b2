// warp: native
// expect: wave-width shuffle-width wave-width
// offers: wave-width
#define WARP 32
__device__ float warp_sum(float v) {
  for (int o = WARP / 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
__device__ float block_sum(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = warp_sum(v);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) v = warp_sum(v);
  return v;
}
__global__ void total(const float* x, float* y, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = block_sum(v);
  if (threadIdx.x == 0) atomicAdd(y, v);
}
void run(const float* x, float* y, int n) { total<<<64, 256>>>(x, y, n); }
