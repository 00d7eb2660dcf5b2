// expect: shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width
// offers: wave-width wave-width wave-width wave-width wave-width wave-width lane-xor wave-width wave-width wave-width
// warp: native
#include <cuda_runtime.h>

// What a warp does once is there half as often in a wave: none of these takes the wave's width.
__global__ void cut_off(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  v = v & 1023;
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void counted(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (lane == 0) atomicAdd(z, 1);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void one_more(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  if (warp == 0) v += 3;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void with_lanes(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  v += lane;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void first_threads(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (t < 32) z[t] = t;
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void shares(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  int w = v;
  for (int o = 16; o > 0; o >>= 1) w += hipport::__shfl_xor(w, o, 32);
  v = v * 100 / w;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void other_operator(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (lane == 0) atomicMax(z, v);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = t < blockDim.x / 32 ? part[lane] : 0;
  if (warp == 0) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  }
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void first_warp(const int* x, int* y, int* z) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  __shared__ int part[32];
  int v = x[blockIdx.x * blockDim.x + t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
  if (t == 0) y[blockIdx.x] = v;
}

__global__ void tree_tail(const int* x, int* y, int* z) {
  const int t = threadIdx.x;
  int v = x[blockIdx.x * blockDim.x + t];
  __shared__ int s[256];
  s[t] = v;
  __syncthreads();
  for (int w = 128; w > 32; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t < 32) {
    v = s[t] + s[t + 32];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
    if (t == 0) y[blockIdx.x] = v;
  }
}

void run(const int* x, int* y, int* z) {
  cut_off<<<4, 256>>>(x, y, z);
  counted<<<4, 256>>>(x, y, z);
  one_more<<<4, 256>>>(x, y, z);
  with_lanes<<<4, 256>>>(x, y, z);
  first_threads<<<4, 256>>>(x, y, z);
  shares<<<4, 256>>>(x, y, z);
  other_operator<<<4, 256>>>(x, y, z);
  first_warp<<<4, 256>>>(x, y, z);
  tree_tail<<<4, 256>>>(x, y, z);
}
