// expect: block-bounds block-bounds block-bounds block-bounds
// Launches that fail.
#define BOUND 128
constexpr int kThreads = 256;
__global__ void __launch_bounds__(BOUND) fixed(float* x) { x[threadIdx.x] = 1; }
template <int N>
__global__ __launch_bounds__(N, 1) void sized(float* x) {
  x[threadIdx.x] = N;
}
__global__ void __launch_bounds__(64) declared(float* x);
__global__ void plain(float* x) { x[threadIdx.x] = 2; }

void run(float* x) {
  fixed<<<1, kThreads>>>(x);
  fixed<<<1, BOUND>>>(x);
  dim3 block(32, 8);
  sized<128><<<1, block>>>(x);
  sized<256><<<1, block>>>(x);
  declared<<<1, 96>>>(x);
  plain<<<1, dim3(32, 64)>>>(x);
}
__global__ void declared(float* x) { x[threadIdx.x] = 3; }
