// expect: cg-reduce cg-reduce cg-reduce cg-reduce cg-reduce cg-reduce cg-reduce
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scans(const int* x, int* y, int* calls, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? x[i] : 0;
  const int before = cg::exclusive_scan(tile, value, cg::plus<int>());
  const int most = cg::inclusive_scan(tile, value, cg::greater<int>());
  cg::invoke_one(tile, [&] { atomicAdd(calls, 1); });
  const int first = cg::invoke_one_broadcast(tile, [&] { return value; });
  if (i < n) y[i] = before + 100 * most + 10000 * first;
}
