// Capped grids, 32-bit sizes, and grids that do not follow the data.
__global__ void once(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
inline unsigned blocks_for(int64_t n) { return n < 1 ? 1 : std::min<int64_t>((n + 127) / 128, 1 << 20); }
template <class Tensor> void run(float* x, Tensor t, int n, int64_t wide) {
  int rows = t.size(0);
  once<<<(rows + 127) / 128, 128>>>(x, rows);
  once<<<(n + 127) / 128, 128>>>(x, n);
  once<<<std::min<int64_t>((wide + 127) / 128, 65535), 128>>>(x, n);
  const int64_t wanted = (wide + 127) / 128;
  const unsigned grid = min(wanted, (int64_t)4096);
  once<<<grid, 128>>>(x, n);
  once<<<blocks_for(wide), 128>>>(x, n);
  once<<<1024, 256>>>(x, n);
}
