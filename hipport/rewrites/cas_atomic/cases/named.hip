// offers: cas-atomic cas-atomic cas-atomic cas-atomic cas-atomic
// Functions that are nothing but such a sum, under names of their own; a name that hides HIP's is gone past.
__device__ __forceinline__ double atomAdd(double* address, double val) { return ::atomicAdd(address, val); }
namespace mine {
__device__ double atomicAdd(double *address, const double val) { return ::atomicAdd(address, val); }
}
__device__ static void add_to(float* where, float what) { ::atomicAdd(where, what); }
// Not quite: another value is returned, the value is scaled.
__device__ double add_fetch(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old) + val;
}
__device__ void add_some(float* where, float what) {
  int old = __float_as_int(*where), seen;
  do {
    seen = old;
    old = atomicCAS((int*)where, seen, __float_as_int(what + what + __int_as_float(seen)));
  } while (seen != old);
}
__global__ void k(const int* x, double* sums, float* real, double* before, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  before[i] = atomAdd(&sums[0], 1.0);
  mine::atomicAdd(&sums[1 + (i & 1)], (double)x[i]);
  add_to(&real[x[i] & 3], 1.0f);
  if (i < 0) { add_fetch(sums, 1.0); add_some(real, 1.0f); }
}
