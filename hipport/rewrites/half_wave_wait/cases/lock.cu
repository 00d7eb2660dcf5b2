// expect: half-wave-wait
__global__ void k(int* lock, int* n) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *n += 1;
    atomicExch(lock, 0);
  }
}
