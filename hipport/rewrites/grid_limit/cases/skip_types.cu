// Sizes whose types keep the launch below the limit, or whose types do not show.
struct Options { int blocks, n; };
__global__ void once(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
__global__ void table(float* x, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < w && j < h) x[i + (size_t)j * w] = 1;
}
#define DIVUP(a, b) (((a) + (b) - 1) / (b))
static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
inline unsigned few(int64_t n) { return std::min<int64_t>(n, 1024); }
template <class Tensor> void run(float* x, Tensor t, int n, int64_t wide, Options o, int threads, unsigned short rows) {
  const int blocks = (n + threads - 1) / threads;
  once<<<blocks, threads>>>(x, n);
  once<<<DIVUP(n, 256), 256>>>(x, n);
  once<<<ceil_div(n, threads), threads>>>(x, n);
  once<<<ceil_div(t.numel(), 64), 64>>>(x, t.numel());
  once<<<(t.numel() + 255) / 256, 256>>>(x, t.numel());
  once<<<o.blocks, 256>>>(x, o.n);
  once<<<rows, 1024>>>(x, n);
  once<<<few(wide), 256>>>(x, n);
  int64_t grid = wide;
  if (grid > 65535) grid = 65535;
  once<<<grid, 256>>>(x, n);
  once<<<wide > 1024 ? 1024 : wide, 256>>>(x, n);
  TORCH_CHECK(wide * 256 < (int64_t(1) << 32), "too many rows");
  once<<<wide, 256>>>(x, n);
  dim3 block(16, 16), tiles((n + block.x - 1) / block.x, (threads + block.y - 1) / block.y);
  table<<<tiles, block>>>(x, n, threads);
}
#define MOST_ITEMS 1024
struct Pair { float a, b; };
void filled(float* x, const Pair* from, int items, int number_of_SMs) {
  Pair table[MOST_ITEMS];
  for (int i = 0; i < items; i++) {
    table[i].a = from[i].a;
    table[i].b = 0;
  }
  cudaMemcpy(x, table, items * sizeof(Pair), cudaMemcpyHostToDevice);
  once<<<items, 1024>>>(x, 1);
  once<<<number_of_SMs, 1024>>>(x, 1);
}
