// Locks, integers, other operations, and what an old GPU alone compiles.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif
__device__ float product(float* address, float val) {
  int old = __float_as_int(*address), seen;
  do {
    seen = old;
    old = atomicCAS((int*)address, seen, __float_as_int(val * __int_as_float(seen)));
  } while (seen != old);
  return __int_as_float(old);
}
__global__ void k(int* n, float* x, int* lock) {
  int old = *n, seen;
  do { seen = old; old = atomicCAS(n, seen, seen + 1); } while (seen != old);
  product(x, 2);
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      x[0] = x[0] + 1.0f;
      atomicExch(lock, 0);
      done = true;
    }
  }
}
