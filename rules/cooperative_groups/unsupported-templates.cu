// left: cooperative_groups/reduce.h cooperative_groups::reduce cg::memcpy_async
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sums(int* x, int* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  *y = cooperative_groups::reduce(tile, *x, cooperative_groups::plus<int>());
  cg::memcpy_async(tile, y, x, 4);
}
