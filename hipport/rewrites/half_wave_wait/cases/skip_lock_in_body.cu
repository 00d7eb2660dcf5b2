__global__ void k(int* lock, int* n) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) { *n += 1; atomicExch(lock, 0); done = true; }
  }
}
