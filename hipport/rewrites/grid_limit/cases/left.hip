// expect: wait-polling grid-limit grid-limit grid-limit grid-limit
// Blocks of which it is not known, or known, that they must all be there at once; a kernel that others may call; and
// a grid that is no plain expression.
__device__ int64_t place() { return blockIdx.x * (int64_t)blockDim.x + threadIdx.x; }
__global__ void helper(float* x, int64_t n) {
  if (place() < n) x[place()] = 1;
}
__global__ void chained(volatile int* flags, float* x) {
  if (blockIdx.x > 0 && threadIdx.x == 0) while (__hip_atomic_load(&flags[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
  x[blockIdx.x] = 1;
  flags[blockIdx.x] = 1;
}
__global__ void named(float* x, int64_t n) {
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
using Kernel = void (*)(float*, int64_t);
static Kernel chosen = named;
__global__ void changed(float* x, int64_t n) {
  if (blockIdx.x < n) x[blockIdx.x] = 1;
}
void run(float* x, int* flags, int64_t n) {
  helper<<<(n + 255) / 256, 256>>>(x, n);
  chained<<<n, 64>>>(flags, x);
  named<<<(n + 255) / 256, 256>>>(x, n);
  changed<<<(n++ + 255) / 256 * 2, 256>>>(x, n);
}
