namespace hipport {
template <class T> struct bf16_added;
template <> struct bf16_added<__hip_bfloat16> { typedef __hip_bfloat16 type; };
template <> struct bf16_added<__hip_bfloat162> { typedef __hip_bfloat162 type; };
__device__ inline __hip_bfloat16 atomic_add(__hip_bfloat16* address, __hip_bfloat16 value) {
  const unsigned long long place = (unsigned long long)address;
  unsigned* word = (unsigned*)(place & ~3ull);
  const unsigned shift = (unsigned)(place & 2ull) * 8u;
  unsigned seen = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), next;
  __hip_bfloat16 before;
  do {
    before = __builtin_bit_cast(__hip_bfloat16, (unsigned short)(seen >> shift));
    const __hip_bfloat16 sum = __float2bfloat16(__bfloat162float(before) + __bfloat162float(value));
    next = (seen & ~(0xffffu << shift)) | ((unsigned)__builtin_bit_cast(unsigned short, sum) << shift);
  } while (!__hip_atomic_compare_exchange_strong(word, &seen, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT));
  return before;
}
__device__ inline __hip_bfloat162 atomic_add(__hip_bfloat162* address, __hip_bfloat162 value) {
#if defined(__gfx942__) || defined(__gfx950__)
  return unsafeAtomicAdd(address, value);  // one instruction, on fine-grained memory too
#else
  __hip_bfloat162 before;  // each of the two atomically, as CUDA promises
  before.x = atomic_add(&address->x, value.x);
  before.y = atomic_add(&address->y, value.y);
  return before;
#endif
}
}  // namespace hipport
// A template: an overload of the repository's own is taken before it.
template <class T>
__device__ inline typename hipport::bf16_added<T>::type atomicAdd(T* address, typename hipport::bf16_added<T>::type value) {
  return hipport::atomic_add(address, value);
}
