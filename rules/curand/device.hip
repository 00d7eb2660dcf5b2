// review: curand_init
#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>

__global__ void fill(float* x, int n, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  hiprandStatePhilox4_32_10_t state;
  hiprand_init(seed, i, 0, &state);
  if (i < n) x[i] = hiprand_uniform(&state) + hiprand_normal(&state);
}
