// expect: wait-polling wait-polling missing-function wait-polling wait-polling wait-polling wait-polling wait-polling wait-polling wait-polling
__device__ volatile unsigned last_count;
__global__ void cast(unsigned* flag, int* out) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(&((volatile unsigned*)flag)[blockIdx.x], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 1)
      ;
    while (__hip_atomic_load((volatile unsigned*)&flag[gridDim.x], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) hipport::nanosleep(10);
    while (__hip_atomic_load(reinterpret_cast<volatile unsigned*>(flag + blockIdx.x), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 1) {
    }
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}
__global__ void packed(volatile unsigned long long* state, int* out) {
  if (threadIdx.x == 0) {
    unsigned long long s;
    while (!((s = __hip_atomic_load(&state[blockIdx.x], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)) >> 62)) {
    }
    do {
      s = __hip_atomic_load(&state[blockIdx.x + 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
    } while ((s >> 62) == 0);
    out[0] = (int)s;
  }
}
__global__ void plain(int* count, int* out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < (int)gridDim.x) {
    }
  }
  __syncthreads();
  out[0] = 1;
}
__global__ void endless(volatile int* count, int* out) {
  if (threadIdx.x == 0) {
    for (;;) {
      if (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) >= (int)gridDim.x) break;
    }
    while (true) {
      const int seen = *count;
      if (seen == 0) break;
      __threadfence();
    }
  }
  __syncthreads();
  out[0] = 1;
}
__global__ void variable(int* out) {
  if (threadIdx.x == 0)
    while (__hip_atomic_load(&last_count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < gridDim.x) {
    }
  __syncthreads();
  out[0] = 1;
}
