namespace hipport {
template <class T> struct half_added;
template <> struct half_added<__half> { typedef __half type; };
template <> struct half_added<__half2> { typedef __half2 type; };
__device__ inline __half atomic_add(__half* address, __half value) {
  const unsigned long long place = (unsigned long long)address;
  unsigned* word = (unsigned*)(place & ~3ull);
  const unsigned shift = (unsigned)(place & 2ull) * 8u;
  unsigned seen = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), next;
  __half before;
  do {
    before = __builtin_bit_cast(__half, (unsigned short)(seen >> shift));
    const unsigned short sum = __builtin_bit_cast(unsigned short, __hadd(before, value));
    next = (seen & ~(0xffffu << shift)) | ((unsigned)sum << shift);
  } while (!__hip_atomic_compare_exchange_strong(word, &seen, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT));
  return before;
}
__device__ inline __half2 atomic_add(__half2* address, __half2 value) {
#if defined(__gfx942__) || defined(__gfx950__)
  return unsafeAtomicAdd(address, value);  // one instruction, on fine-grained memory too
#else
  const __half low = atomic_add((__half*)address, __low2half(value));  // each half atomically, as CUDA promises
  return __halves2half2(low, atomic_add((__half*)address + 1, __high2half(value)));
#endif
}
}  // namespace hipport
// A template: an overload of the repository's own is taken before it.
template <class T>
__device__ inline typename hipport::half_added<T>::type atomicAdd(T* address, typename hipport::half_added<T>::type value) {
  return hipport::atomic_add(address, value);
}
