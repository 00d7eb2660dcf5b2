// Parameters, of a function, a template or a lambda, and variables that have the name of a constant elsewhere.
constexpr int kThreads = 32;
__global__ void k(float* x) { x[blockIdx.x * 32 + threadIdx.x] = 1; }
void one(float* x, int n) {
  const int threads = 32;
  x[threads] = n;
}
void two(float* x, int n, int threads) { k<<<n, threads>>>(x); }
void two_and_a_half(float* x, int n, const int& threads) { k<<<n / 2, threads>>>(x); }
void three(float* x, int n) {
  int threads = 2 * n;
  k<<<64, threads>>>(x);
}
template <int threads>
void four(float* x) {
  k<<<64, dim3(threads)>>>(x);
}
void five(float* x, int n) {
  auto go = [&](int kThreads) { k<<<64, kThreads>>>(x); };
  go(n);
}
void six(float* x, int n) {
  dim3 block(kThreads);
  block.x = n;
  k<<<64, block>>>(x);
}
