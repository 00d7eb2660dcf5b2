// Sizes that fit everywhere, sizes that nobody knows, and numbers that speak of something else.
template <int N, class T>
__global__ void k(T* x) {
  __shared__ T part[N];
  __shared__ float fixed[8192];
  part[threadIdx.x] = x[0];
  fixed[0] = 1;
}
constexpr int N = 1 << 20;
constexpr int kMaxBlocks = 65536, kBuffer = 64 * 1024, kCount = 49152;
void run(float* x, int bytes, int tiles) {
  if (tiles > 4) bytes = 2 * bytes;
  k<4, float><<<tiles, 64, bytes>>>(x);
  k<4, float><<<tiles, 64, 32000>>>(x);
  size_t smem = 1024;
  if (tiles > 2) smem = 400000;
  k<4, float><<<tiles, 64, smem>>>(x);
}
