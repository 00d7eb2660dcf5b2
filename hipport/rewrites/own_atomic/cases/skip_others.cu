// Dead in both passes, in a namespace or a class, templates, other names and parameters.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double val) { return *address += val; }
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
static __inline__ __device__ double atomicAdd(double* address, double val) { return *address += val; }
#endif
namespace own {
__device__ inline float atomicMax(float* a, float b) { return *a > b ? *a : (*a = b); }
}
struct Ops {
  __device__ static float atomicMin(float* a, float b) { return *a < b ? *a : (*a = b); }
};
template <class T>
__device__ T atomicSub(T* a, T b) { return *a -= b; }
__device__ float atomicMax(volatile float* a, float b) { return *a > b ? *a : (*a = b); }
__device__ double atomicMul(double* a, double b) { return *a *= b; }
__global__ void k(float* x) { own::atomicMax(x, 1.0f); }
