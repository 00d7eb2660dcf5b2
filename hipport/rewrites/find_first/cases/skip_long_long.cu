__global__ void k(int* y, const long long* x) {
  unsigned long long a = 1, b = 2;
  y[0] = __ffsll(a) + __ffsll(b) + __ffsll((unsigned long long)x[0]) + __ffs(y[1]);
  y[1] = __ffsll(static_cast<long long>(x[1]));
}
