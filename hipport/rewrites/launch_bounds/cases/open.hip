// expect: launch-bounds launch-bounds launch-bounds launch-bounds launch-bounds
constexpr int kBlocks = 4;
#define BOUND(t, b) __launch_bounds__(t, ((b) * (t) + 255) / 256 /* waves per SIMD */)
template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, ((kBlocks) * (kThreads) + 255) / 256 /* waves per SIMD */) a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(64, ((kBlocks) * (64) + 255) / 256 /* waves per SIMD */) b(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(512, 4 /* waves per SIMD */) c(float* x) { x[0] = 1; }
