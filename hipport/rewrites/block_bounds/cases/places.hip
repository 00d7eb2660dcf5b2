// offers: block-bounds block-bounds block-bounds block-bounds block-bounds
// Where the bound goes, and what it says.
#ifndef BLOCK
#define BLOCK 128
#endif
constexpr int kSide = 16;
namespace {
__global__ __launch_bounds__(BLOCK) void unnamed(double* x) {
  double v[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = v[63 - i] * v[i];
}
template <typename T, int N>
__global__ __launch_bounds__(192) void instances(T* x) {
  T v[N];
  for (int i = 0; i < N; ++i) v[i] = x[i * N];
  for (int i = 0; i < N; ++i) x[i] = v[N - 1 - i] * v[i];
}
}  // namespace

static __global__ void before(float* x);

void run(double* x, float* y, cudaStream_t stream) {
  unnamed<<<4, BLOCK, 0, stream>>>(x);
  const int threads = 192;
  instances<float, 128><<<4, threads>>>(y);
  instances<float, 16><<<4, 64>>>(y);
  dim3 block(kSide, kSide / 2);
  before<<<dim3(2, 2), block>>>(y);
  cudaFuncSetAttribute(before, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
}

static __global__ __launch_bounds__(kSide * (kSide / 2)) void before(float* x) {
  float v[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}

// Another file may declare and launch it: told only.
__global__ void open(float* x) {
  float v[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}
extern "C" __global__ void by_name(float* x) {
  float v[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}

void more(float* x) {
  open<<<4, 256>>>(x);
  by_name<<<4, 256>>>(x);
}
