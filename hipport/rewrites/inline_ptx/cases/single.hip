// expect: inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx
__device__ unsigned field(unsigned x) { unsigned r; r = hipport::bfe<unsigned>((unsigned)(x), (unsigned)(4), (unsigned)8); return r; }
__device__ unsigned majority(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  d = hipport::lop3<0xe8>((unsigned)(a), (unsigned)(b), (unsigned)(c));
  return d;
}
__device__ float fast_exp2(float x) {
  float y;
  y = hipport::flushed(__builtin_amdgcn_exp2f(hipport::flushed((x))));
  return y;
}
__device__ int published(const int* flag) {
  int value;
  do { __atomic_signal_fence(__ATOMIC_SEQ_CST); value = __hip_atomic_load((int *)(flag), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT); __atomic_signal_fence(__ATOMIC_SEQ_CST); } while (0);
  return value;
}
__device__ void publish(int* flag, int value) {
  do { __atomic_signal_fence(__ATOMIC_SEQ_CST); __hip_atomic_store((unsigned *)(flag), (unsigned)(unsigned)(value), __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM); __atomic_signal_fence(__ATOMIC_SEQ_CST); } while (0);
}
__device__ void stop() { __builtin_trap(); }
__device__ long long ticks() { long long t; t = (unsigned long long)clock64(); return t; }
