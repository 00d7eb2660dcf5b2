// Loops of other forms: a break, a union, a cast of a volatile pointer, comparisons, halves.
// offers: cas-atomic cas-atomic cas-atomic cas-atomic cas-atomic
#include <cuda_fp16.h>
union Bits { float f; unsigned int u; };
__device__ void broken_off(float* addr, float v) {
  int* p = reinterpret_cast<int*>(addr);
  int seen = *p;
  while (true) {
    int want = __float_as_int(__int_as_float(seen) + v);
    int was = atomicCAS(p, seen, want);
    if (was == seen) break;
    seen = was;
  }
}
__device__ float by_union(volatile float* addr, float v) {
  Bits old, sum;
  do {
    old.f = *addr;
    sum.f = old.f + v;
  } while (atomicCAS((unsigned int*)addr, old.u, sum.u) != old.u);
  return old.f;
}
__device__ float largest(float* address, float val) {
  int old = __float_as_int(*address), seen;
  do {
    seen = old;
    old = atomicCAS((int*)address, seen, __float_as_int(fmaxf(val, __int_as_float(seen))));
  } while (seen != old);
  return __int_as_float(old);
}
__device__ void least(double* where, double v) {
  unsigned long long now = __double_as_longlong(*where);
  while (v < __longlong_as_double(now)) {
    const unsigned long long old = now;
    now = atomicCAS((unsigned long long*)where, old, (unsigned long long)__double_as_longlong(v));
    if (now == old) break;
  }
}
__device__ void halves(__half* address, __half val) {
  unsigned int* base = (unsigned int*)((size_t)address & ~(size_t)2);
  unsigned int old = *base, assumed;
  do {
    assumed = old;
    const unsigned short h = ((size_t)address & 2) ? (old >> 16) : (old & 0xffff);
    const unsigned short s = __half_as_ushort(__hadd(__ushort_as_half(h), val));
    const unsigned int next = ((size_t)address & 2) ? (old & 0xffff) | ((unsigned)s << 16) : (old & 0xffff0000) | s;
    old = atomicCAS(base, assumed, next);
  } while (assumed != old);
}
__global__ void k(float* x, double* y, __half* z) {
  broken_off(x, 1.0f);
  by_union(x, largest(x, 2.0f));
  least(y, 1.0);
  halves(z, __float2half(1.0f));
}
