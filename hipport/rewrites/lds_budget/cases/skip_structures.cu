// What has another size on AMD, what takes no LDS, and what nobody knows the size of.
#include <cub/cub.cuh>
#ifdef USE_ROCM
constexpr int kTile = 16, kRows = 8;
using Held = float;
#else
constexpr int kTile = 160, kRows = 9;
using Held = double;
#endif
struct Node { Node* next; int at[kTile * kTile]; };
template <int N> __device__ float part(float v) {
  __shared__ float line[N * N];
  line[threadIdx.x] = v;
  return line[0];
}
__global__ void other(float* x) {
  __shared__ float tile[kTile][kTile];
  __shared__ Held held[kTile * 70];
  __shared__ Node node;
  tile[0][threadIdx.x] = x[0];
  held[threadIdx.x] = x[0];
  node.at[threadIdx.x] = 1;
  x[1] = tile[0][0] + held[0] + node.at[0];
}
template <int N> __global__ void wide(float* x) { x[0] = part<N>(x[1]); }
__global__ void sided(float* x) {
#ifndef USE_ROCM
  __shared__ double big[20000];
#else
  __shared__ double big[200];
#endif
  big[threadIdx.x] = x[0];
  x[1] = big[0];
}
__global__ void unused(float* x) {
  __shared__ float never[30000];
  x[0] = 1;
}
template <class T> __global__ void sorted(T* x) {
  using Sort = cub::BlockRadixSort<T, 1024, 16>;
  __shared__ union { typename Sort::TempStorage sort; T kept[100]; } u;
  T v[16] = {x[0]};
  Sort(u.sort).Sort(v);
  x[0] = v[0] + u.kept[1];
}
void run(float* x, double* y) {
  other<<<1, 64>>>(x);
  wide<kTile><<<1, 64>>>(x);
  sided<<<1, 64>>>(x);
  unused<<<1, 64>>>(x);
  sorted<<<1, 1024>>>(y);
}
