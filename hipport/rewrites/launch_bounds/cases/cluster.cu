// expect: launch-bounds launch-bounds launch-bounds launch-bounds launch-bounds
#define BOUNDS(t, n, c) __launch_bounds__(t, n, c)
__global__ void __launch_bounds__(512, 2, 4) a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(256, 1, 2 /* a pair */) b(float* x) { x[0] = 1; }
__global__ void BOUNDS(128, 1, 2) c(float* x) { x[0] = 1; }
