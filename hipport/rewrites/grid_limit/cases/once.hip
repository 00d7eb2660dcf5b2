// expect: grid-limit
__global__ void once(unsigned hipport_blocks, float* x, int64_t n) {
  for (unsigned hipport_block = blockIdx.x; hipport_block < hipport_blocks; hipport_block += gridDim.x) {
  int64_t i = hipport_block * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
  }
}
template <class Tensor>
void run(float* x, Tensor t, int64_t n) {
  dim3 block(256), grid((t.numel() + block.x - 1) / block.x);
  once<<<dim3(grid.x < 16777215 ? grid.x : 16777215, grid.y, grid.z), block>>>(grid.x, x, n);
  once<<<static_cast<unsigned>(((n + 127) / 128) < 33554431 ? ((n + 127) / 128) : 33554431), 128>>>(static_cast<unsigned>((n + 127) / 128), x, n);
  once<<<static_cast<unsigned>((1 << 24) < 16777215 ? (1 << 24) : 16777215), 256>>>(static_cast<unsigned>(1 << 24), x, n);
}
