// Launches by the host, also from a lambda and a macro.
__global__ void k(int* x) { x[threadIdx.x] = 1; }
#define RUN(x) k<<<1, 64>>>(x)
void run(int* x) {
  auto later = [&] { k<<<1, 64>>>(x); };
  later();
  RUN(x);
}
