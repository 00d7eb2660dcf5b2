// expect: shuffle-width half-wave-wait
__global__ void k(int* x) {
  __shared__ volatile int ready;
  int warp = threadIdx.x / 32;
  if (warp == 0) {
    x[1] = __shfl_sync(0xffffffff, x[0], 0);
    ready = 1;
  } else {
    while (ready == 0) {}
  }
}
