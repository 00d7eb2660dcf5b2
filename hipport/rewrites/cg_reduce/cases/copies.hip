// expect: cg-reduce cg-reduce cg-reduce
#include <cooperative_groups.h>
// cooperative_groups/memcpy_async.h: see the cg_memcpy_async shim
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out) {
  extern __shared__ float tile[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * blockDim.x, sizeof(float) * block.size());
  cg::wait(block);
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
