// offers: cas-atomic cas-atomic
__device__ double add(double* address, double val) {
  unsigned long long* p = (unsigned long long*)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ void add(float* address, float val) {
  int old = __float_as_int(*address), seen, sum;
  do {
    seen = old;
    sum = __float_as_int(__int_as_float(seen) + val);
    old = atomicCAS((int*)address, seen, sum);
  } while (seen != old);
}
__global__ void k(double* x, float* y) { add(x, 1.0); add(y, 1.0f); }
