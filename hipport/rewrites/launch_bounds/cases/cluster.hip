// expect: launch-bounds launch-bounds launch-bounds launch-bounds launch-bounds
#define BOUNDS(t, n, c) __launch_bounds__(t, ((n) * (t) + 255) / 256 /* waves per SIMD */)
__global__ void __launch_bounds__(512, 4 /* waves per SIMD */) a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(256, 1) b(float* x) { x[0] = 1; }
__global__ void BOUNDS(128, 1, 2) c(float* x) { x[0] = 1; }
