// Warp and block primitives whose results numpy can say: tiles, cub, halves, matches, reductions, counted barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int v = in[threadIdx.x];
  auto same = cg::labeled_partition(tile, v % 3);
  out[threadIdx.x] = cg::reduce(tile, v, cg::plus<int>());
  out[64 + threadIdx.x] = cg::reduce(same, v, cg::greater<int>());
  out[128 + threadIdx.x] = cg::exclusive_scan(tile, v);
  out[192 + threadIdx.x] = tile.match_any(v % 5);
}

__global__ void grid_wide(int* x) {
  auto grid = cg::this_grid();
  atomicAdd(x, 1);
  grid.sync();
  x[1 + grid.thread_rank()] = x[0];
}

__global__ void blocks_of_cub(const int* in, int* out) {
  typedef cub::BlockReduce<int, 64> Reduce;
  typedef cub::BlockScan<int, 64> Scan;
  typedef cub::BlockRadixSort<int, 64, 2, int> Sort;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Sort::TempStorage sort;
  } storage;
  const int v = in[threadIdx.x];
  const int sum = Reduce(storage.reduce).Sum(v);
  if (threadIdx.x == 0) out[0] = sum;
  __syncthreads();
  int before;
  Scan(storage.scan).ExclusiveSum(v, before);
  out[1 + threadIdx.x] = before;
  __syncthreads();
  int keys[2] = {-v, v}, values[2] = {int(threadIdx.x), 64 + int(threadIdx.x)};
  Sort(storage.sort).Sort(keys, values);
  for (int i = 0; i < 2; i++) out[65 + 2 * threadIdx.x + i] = keys[i];
  __shared__ cub::WarpReduce<int, 16>::TempStorage warps[4];
  const int part = cub::WarpReduce<int, 16>(warps[threadIdx.x / 16]).Reduce(v, cub::Max());
  if (threadIdx.x % 16 == 0) out[193 + threadIdx.x / 16] = part;
}

// Every pair that i and its mirror make, in the four operations; both formats.
__global__ void halves(const __half* a, const __half* b, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] + b[i];
  out[n + i] = a[i] - b[i];
  out[2 * n + i] = a[i] * b[i];
  out[3 * n + i] = a[i] / b[i];
}

__global__ void converted(const float* in, __half* h, __nv_bfloat16* b, float* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  h[i] = __float2half(in[i]);
  b[i] = __float2bfloat16(in[i]);
  back[i] = __half2float(__float2half_rz(in[i]));
}

__global__ void votes(const int* in, int* out) {
  const int v = in[threadIdx.x];
  out[threadIdx.x] = __reduce_add_sync(0xffffffff, v);
  out[64 + threadIdx.x] = __reduce_max_sync(0xffffffff, v - 50);
  out[128 + threadIdx.x] = __popc(__match_any_sync(0xffffffff, v % 4));
  out[192 + threadIdx.x] = __syncthreads_count(v % 2);
  out[256 + threadIdx.x] = __shfl_up_sync(0xffffffff, v, 3, 8) + __shfl_xor_sync(0xffffffff, v, 5);
}
