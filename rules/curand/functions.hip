// review: curandCreateGenerator
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>

void fill(float* x, size_t n) {
  hiprandGenerator_t generator;
  hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_PHILOX4_32_10);
  hiprandSetPseudoRandomGeneratorSeed(generator, 7ULL);
  hiprandGenerateUniform(generator, x, n);
  hiprandDestroyGenerator(generator);
}
