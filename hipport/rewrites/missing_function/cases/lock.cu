// expect: half-wave-wait missing-function
__global__ void add(int* lock, int* data) {
  while (atomicCAS(lock, 0, 1) != 0) {
    __nanosleep(64);
  }
  *data += 1;
  __threadfence();
  atomicExch(lock, 0);
}
