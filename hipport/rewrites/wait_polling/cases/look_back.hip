// expect: wait-polling
__global__ void scan(volatile int* flags, int* x) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(&flags[blockIdx.x], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) __threadfence();
    x[0] = flags[blockIdx.x];
  }
}
