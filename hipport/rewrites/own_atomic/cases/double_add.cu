// expect: own-atomic own-atomic
// offers:
#if __CUDA_ARCH__ < 600
static __inline__ __device__ double atomicAdd(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif

__device__ __forceinline__ float atomicMax(float* addr, const float value) {
  return value >= 0 ? __int_as_float(atomicMax((int*)addr, __float_as_int(value)))
                    : __uint_as_float(atomicMin((unsigned int*)addr, __float_as_uint(value)));
}

__global__ void k(double* x, float* y) {
  atomicAdd(x + threadIdx.x, 1.0);
  atomicMax(y + threadIdx.x, 1.0f);
}
