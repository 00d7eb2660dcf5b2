// A fence right after the loop orders what follows it; a walk through memory waits for nobody.
__device__ volatile int sizes[4];
__global__ void fenced(volatile int* flag, const int* data, int* out) {
  if (threadIdx.x == 0) {
    while (flag[blockIdx.x] == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x] = data[blockIdx.x];
}
__global__ void outside(volatile int* flag, const int* data, int* out) {
  if (threadIdx.x == 0) {
    while (flag[blockIdx.x] == 0) {
    }
  }
  __syncthreads();
  __threadfence();
  out[blockIdx.x] = data[blockIdx.x];
}
__global__ void walk(const volatile int* next, int* out) {
  int i = 0;
  while (next[i] != 0) {
    out[i] = next[i];
    ++i;
  }
  int at = blockIdx.x;
  while (true) {
    at = next[at];
    out[at] = 1;
    if (at == 0) break;
  }
  for (int k = 0; k < sizes[0]; ++k) out[k] = 2;
}
__global__ void follow(const int* parent, int* out) {
  int at = blockIdx.x;
  while (parent[at] != at) at = parent[at];
  out[blockIdx.x] = at;
}
__device__ bool over(const unsigned long long* barrier, unsigned parity) { return (*barrier & 1) != parity; }
__global__ void asked(unsigned long long* barrier, unsigned* parity, int* out) {  // what the function does is its own
  while (!over(&barrier[blockIdx.x], *parity)) {
  }
  out[0] = 1;
}
