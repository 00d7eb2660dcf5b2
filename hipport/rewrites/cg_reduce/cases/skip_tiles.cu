#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  x[0] = tile.shfl(x[1], 0) + tile.ballot(x[2] > 0);
}
