// expect: cg-reduce cg-reduce cg-reduce cg-reduce
#include <cooperative_groups.h>
#include <cooperative_groups/async.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  auto cluster = cg::this_cluster();
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  x[0] = cg::inclusive_scan_update(tile, x[1], x[0], cg::plus<int>());
}
