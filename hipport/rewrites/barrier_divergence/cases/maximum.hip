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
  bool hipport_active = !(i >= n);
  const float largest = blockReduceMax(hipport_active ? (x[i]) : hipport::lowest<__remove_cvref(decltype(x[i]))>(), s);
  meet();
  if (!hipport_active) return;
  y[i] = x[i] - largest;
}
__global__ void primitives(const int* x, int* y, int n) {
  using Reduce = cub::BlockReduce<int, 256>;
  using Scan = cub::BlockScan<int, 256>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ typename Scan::TempStorage scan;
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  bool hipport_active = !(i >= n);
  int items[2];
  if (hipport_active) items[0] = x[i];
  if (hipport_active) items[1] = x[i + n];
  int most = Reduce(temp).Reduce(hipport_active ? (x[i]) : hipport::lowest<__remove_cvref(decltype(x[i]))>(), Larger<int>());
  __syncthreads();
  if (!hipport_active) for (auto& hipport_item : items) hipport_item = hipport::highest<__remove_cvref(decltype(hipport_item))>();
  int least = Reduce(temp).Reduce(items, [](int a, int b) { return min(a, b); });
  __syncthreads();
  int bits = Reduce(temp).Reduce(hipport_active ? (x[i]) : static_cast<__remove_cvref(decltype(x[i]))>(~static_cast<__remove_cvref(decltype(x[i]))>(0)), Common{});
  int before;
  Scan(scan).ExclusiveScan(hipport_active ? (x[i]) : hipport::lowest<__remove_cvref(decltype(x[i]))>(), before, 0, cub::Max());
  if (!hipport_active) return;
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
