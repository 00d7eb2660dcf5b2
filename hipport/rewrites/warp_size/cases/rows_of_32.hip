// expect: warp-size warp-size warp-size warp-size
// Nothing is exchanged, but the block has rows of 32 threads: with a warpSize of 64 slots are missed and overrun.
#include <cuda_runtime.h>
#define THREADS 256

__global__ void gather(const int* index, const float* in, float* out, int width) {
  __shared__ int rows[THREADS];
  int thread = threadIdx.y * 32 + threadIdx.x;
  rows[thread] = index[blockIdx.x * THREADS + thread];
  __syncthreads();
  for (int start = 0; start < THREADS; start += THREADS / 32) {
    int row = start + threadIdx.y;
    for (int j = threadIdx.x; j < width; j += 32) out[(blockIdx.x * THREADS + row) * width + j] = in[rows[row] * width + j];
  }
}

__global__ void strided(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += 32) x[blockIdx.x * n + i] *= 2;
}

void run(const int* index, const float* in, float* out, int n, int width) {
  int across = 32;
  dim3 threads(across, THREADS / across);
  gather<<<n / THREADS, threads>>>(index, in, out, width);
}

void run_strided(float* x, int rows, int n, int threads) {
  if (threads < 32) threads = 32;
  strided<<<rows, threads>>>(x, n);
}
