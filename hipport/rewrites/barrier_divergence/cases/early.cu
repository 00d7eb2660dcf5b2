// expect: barrier-divergence barrier-divergence barrier-divergence barrier-divergence
#include <cub/cub.cuh>
__device__ void meet(float* s) { s[threadIdx.x] = 0; __syncthreads(); }
__device__ void outer(float* s) { meet(s); }
__global__ void direct(const float* x, float* y, int n) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  const int other = blockDim.x - 1 - threadIdx.x;
  y[i] = blockIdx.x * blockDim.x + other < n ? s[other] : -1;
}
__global__ void transitive(float* x, int n) {
  __shared__ float s[256];
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) { return; }
  outer(s);
  x[i] = s[0];
}
__global__ void primitive(float* x, int n) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage temp;
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  float sum = Reduce(temp).Sum(x[i]);
  if (threadIdx.x == 0) x[0] = sum;
}
__global__ void loop(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    x[i] = 1;
    __syncthreads();
  }
}
