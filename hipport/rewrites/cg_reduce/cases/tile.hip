// expect: cg-reduce cg-reduce cg-reduce
#include <cooperative_groups.h>
// cooperative_groups/reduce.h: see the cg_reduce shim
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  x[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
}
