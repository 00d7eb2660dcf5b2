// expect: find-first find-first find-first
__global__ void k(const uint64_t* x, int* y, long z) {
  uint64_t bits[2] = {x[0], x[1]};
  y[0] = __ffsll(bits[1]);
  y[1] = __ffsll(z) + __ffsll(x[0] & 3);
}
