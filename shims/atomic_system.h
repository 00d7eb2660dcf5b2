namespace hipport {
// Compare-and-swap, as PCIe has no atomic that wraps at a limit.
__device__ inline unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
  unsigned int seen = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  while (!__hip_atomic_compare_exchange_strong(address, &seen, seen >= limit ? 0u : seen + 1, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)) {}
  return seen;
}
__device__ inline unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
  unsigned int seen = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  while (!__hip_atomic_compare_exchange_strong(address, &seen, seen == 0 || seen > limit ? limit : seen - 1,
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)) {}
  return seen;
}
}  // namespace hipport
