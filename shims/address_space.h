namespace hipport {
// Addresses of CUDA's state spaces: a shared one is a 32-bit offset in LDS, all others are generic addresses.
__device__ inline unsigned long long cvta_generic_to_shared(const void *pointer) {
  return (unsigned)(unsigned long long)(__attribute__((address_space(3))) const char *)pointer;
}
__device__ inline void *cvta_shared_to_generic(unsigned long long address) {
  return (void *)(__attribute__((address_space(3))) char *)(unsigned)address;
}
__device__ inline unsigned long long cvta_generic_to_global(const void *pointer) { return (unsigned long long)pointer; }
__device__ inline unsigned long long cvta_generic_to_constant(const void *pointer) { return (unsigned long long)pointer; }
__device__ inline void *cvta_global_to_generic(unsigned long long address) { return (void *)address; }
__device__ inline void *cvta_constant_to_generic(unsigned long long address) { return (void *)address; }
__device__ inline unsigned isShared(const void *pointer) { return __builtin_amdgcn_is_shared(pointer); }
__device__ inline unsigned isLocal(const void *pointer) { return __builtin_amdgcn_is_private(pointer); }
__device__ inline unsigned isCtaShared(const void *pointer) { return isShared(pointer); }
__device__ inline unsigned isGlobal(const void *pointer) { return !isShared(pointer) && !isLocal(pointer); }
}  // namespace hipport
