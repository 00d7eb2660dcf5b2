// expect: launch-bounds launch-bounds launch-bounds launch-bounds launch-bounds
constexpr int kBlocks = 4;
#define BOUND(t, b) __launch_bounds__(t, b)
template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(64, kBlocks) b(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(512, 2, 2) c(float* x) { x[0] = 1; }
