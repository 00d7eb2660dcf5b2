// Whole waves, nearly whole ones, one block, one thread, and blocks that are not known.
__global__ void k(float* x) { x[threadIdx.x] = 1; }
void run(float* x, int n) {
  k<<<512, 256>>>(x);
  k<<<128, 1000>>>(x);
  k<<<128, dim3(16, 16)>>>(x);
  k<<<1, 32>>>(x);
  k<<<128, 1>>>(x);
  k<<<128, n>>>(x);
  k<<<128, 48>>>(x);
}
