// expect: shuffle-width
// offers: wave-width lane-xor wave-width
__device__ float warp_sum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  return v;
}
__global__ void k(float* x) {
  __shared__ float part[32], tile[32][33];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float v = warp_sum(x[threadIdx.x]);
  if (lane == 0) part[warp] = v;
  tile[0][0] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) x[0] = warp_sum(v);
}
