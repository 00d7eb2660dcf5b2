// review: curandCreateGenerator
#include <curand.h>

void fill(float* x, size_t n) {
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(generator, 7ULL);
  curandGenerateUniform(generator, x, n);
  curandDestroyGenerator(generator);
}
