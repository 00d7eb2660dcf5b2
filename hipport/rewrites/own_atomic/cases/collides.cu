// expect: own-atomic
__device__ double atomicAdd(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void k(double* x) { atomicAdd(x + threadIdx.x, 1.0); }
