// expect: missing-function missing-function missing-function missing-function missing-function
__global__ void k(float* x, const int* a, unsigned* u) {
  x[0] = hipport::fmul_rn(x[1], x[2]) + x[3];  // two roundings
  x[1] = hipport::fsqrt_rn(x[4]);
  a[0] > 3 ? hipport::stcs(x + 2, hipport::ldcs(x + 5)) : __threadfence();
  u[0] = hipport::vadd4(u[1], u[2]);
}
