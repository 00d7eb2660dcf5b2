// review: curand_init
#include <curand_kernel.h>

__global__ void fill(float* x, int n, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  if (i < n) x[i] = curand_uniform(&state) + curand_normal(&state);
}
