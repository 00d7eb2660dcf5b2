// expect: missing-function missing-function missing-function missing-function missing-function
__global__ void k(float* x, const int* a, unsigned* u) {
  x[0] = __fmul_rn(x[1], x[2]) + x[3];  // two roundings
  x[1] = __fsqrt_rn(x[4]);
  a[0] > 3 ? __stcs(x + 2, __ldcs(x + 5)) : __threadfence();
  u[0] = __vadd4(u[1], u[2]);
}
