extern "C" __global__ void atomic_system(unsigned int* n, unsigned int* before) {
  const unsigned t = threadIdx.x;
  before[2 * t] = hipport::atomicInc_system(n, 6u);
  before[2 * t + 1] = hipport::atomicDec_system(n + 1, 6u);
}
