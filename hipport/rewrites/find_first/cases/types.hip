// expect: find-first find-first find-first
__global__ void k(const uint64_t* x, int* y, long z) {
  uint64_t bits[2] = {x[0], x[1]};
  y[0] = __ffsll((long long)(bits[1]));
  y[1] = __ffsll((long long)(z)) + __ffsll((long long)(x[0] & 3));
}
