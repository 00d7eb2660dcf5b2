// expect: barrier-divergence barrier-divergence barrier-divergence
#include <cub/cub.cuh>
template <class T>
struct Larger {
  __device__ T operator()(const T& a, const T& b) const { return (a > b) ? a : b; }
};
struct Common {
  __device__ int operator()(int p, int q) const { return p & q; }
};
__device__ void meet() { __syncthreads(); }
__device__ float blockReduceMax(float v, float* s) {
  s[threadIdx.x] = v;
  meet();
  for (int k = 1; k < blockDim.x; k *= 2) {
    const float other = threadIdx.x + k < blockDim.x ? s[threadIdx.x + k] : v;
    __syncthreads();
    v = fmaxf(v, other);
    s[threadIdx.x] = v;
    __syncthreads();
  }
  return s[0];
}
__global__ void scaled(const float* x, float* y, int n) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float largest = blockReduceMax(x[i], s);
  meet();
  y[i] = x[i] - largest;
}
__global__ void primitives(const int* x, int* y, int n) {
  using Reduce = cub::BlockReduce<int, 256>;
  using Scan = cub::BlockScan<int, 256>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ typename Scan::TempStorage scan;
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  int items[2];
  items[0] = x[i];
  items[1] = x[i + n];
  int most = Reduce(temp).Reduce(x[i], Larger<int>());
  __syncthreads();
  int least = Reduce(temp).Reduce(items, [](int a, int b) { return min(a, b); });
  __syncthreads();
  int bits = Reduce(temp).Reduce(x[i], Common{});
  int before;
  Scan(scan).ExclusiveScan(x[i], before, 0, cub::Max());
  y[i] = before;
  if (threadIdx.x == 0) y[0] = most + least + bits;
}
__global__ void unknown(const float* x, float* y, int n) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage temp;
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  float odd = Reduce(temp).Reduce(x[i], [](float a, float b) { return a - b; });
  if (threadIdx.x == 0) y[0] = odd;
}
