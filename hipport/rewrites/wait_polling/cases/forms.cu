// expect: wait-polling wait-polling missing-function wait-polling wait-polling wait-polling wait-polling wait-polling wait-polling wait-polling
__device__ volatile unsigned last_count;
__global__ void cast(unsigned* flag, int* out) {
  if (threadIdx.x == 0) {
    while (((volatile unsigned*)flag)[blockIdx.x] != 1)
      ;
    while (*(volatile unsigned*)&flag[gridDim.x] == 0) __nanosleep(10);
    while (*reinterpret_cast<volatile unsigned*>(flag + blockIdx.x) == 1) {
    }
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}
__global__ void packed(volatile unsigned long long* state, int* out) {
  if (threadIdx.x == 0) {
    unsigned long long s;
    while (!((s = state[blockIdx.x]) >> 62)) {
    }
    do {
      s = state[blockIdx.x + 1];
    } while ((s >> 62) == 0);
    out[0] = (int)s;
  }
}
__global__ void plain(int* count, int* out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*count < (int)gridDim.x) {
    }
  }
  __syncthreads();
  out[0] = 1;
}
__global__ void endless(volatile int* count, int* out) {
  if (threadIdx.x == 0) {
    for (;;) {
      if (*count >= (int)gridDim.x) break;
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
    while (last_count < gridDim.x) {
    }
  __syncthreads();
  out[0] = 1;
}
