// expect: launch-bounds launch-bounds launch-bounds
#define THREADS 128
#define BOUNDS __launch_bounds__(THREADS, 8)
__global__ void __launch_bounds__(512, 2) a(float* x) { x[0] = 1; }
__global__ void BOUNDS b(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(/* most */ 1024, /* at least */ 3) c(float* x) { x[0] = 1; }
