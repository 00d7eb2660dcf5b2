namespace cg = cooperative_groups;
extern "C" __global__ void cg_memcpy_async(const unsigned* x, unsigned* out, unsigned count) {
  __shared__ unsigned tile[256];
  auto block = cg::this_thread_block();
  auto part = cg::tiled_partition<32>(block);
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = 7;
  block.sync();
  cg::memcpy_async(block, tile, x, count * sizeof(unsigned));
  cg::wait(block);
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) out[i] = tile[255 - i];
  block.sync();
  cg::memcpy_async(part, (unsigned char*)(tile + 32 * part.meta_group_rank()) + 1, (const unsigned char*)x + 1, 13);
  cg::memcpy_async(part, tile + 32 * part.meta_group_rank() + 8, 3, x + 8, 5);
  cg::wait_prior<0>(part);
  block.sync();
  if (threadIdx.x < 256) out[256 + threadIdx.x] = tile[threadIdx.x];
}
