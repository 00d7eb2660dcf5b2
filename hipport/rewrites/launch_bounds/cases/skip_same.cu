// With 256 threads on gfx9 both count the same; one number says nothing of occupancy; AMD's own stays.
#ifdef USE_ROCM
#define BOUND __launch_bounds__(512, 2)
#else
#define BOUND __launch_bounds__(512, 4)
#endif
__global__ void __launch_bounds__(256, 4) a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(1024) b(float* x) { x[0] = 1; }
template <int N> __global__ void __launch_bounds__(N) c(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(128, 1) d(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(512, 2 /* waves per EU */) f(float* x) { x[0] = 1; }
__global__ void BOUND e(float* x) { x[0] = 1; }
