namespace hipport {
// Atomics of PTX on halves, bfloat16 and vectors. PTX promises that each element is updated atomically, not the whole: an
// element narrower than a word goes through its word, a vector element by element.
template <int Order, int Scope, class F>
__device__ inline unsigned word_updated(unsigned *at, F next) {
  unsigned seen = __hip_atomic_load(at, __ATOMIC_RELAXED, Scope), before;
  do before = seen;
  while ((seen = compare_and_swap<Order, Scope>(at, before, next(before))) != before);
  return before;
}
template <int Order, int Scope, class F>
__device__ inline unsigned short half_word_updated(unsigned short *at, F next) {
  const unsigned long long place = (unsigned long long)at;
  const unsigned shift = (unsigned)(place & 2ull) * 8u;
  const unsigned before = word_updated<Order, Scope>((unsigned *)(place & ~3ull), [=](unsigned word) {
    return (word & ~(0xffffu << shift)) | (next((unsigned short)(word >> shift)) & 0xffffu) << shift;
  });
  return (unsigned short)(before >> shift);
}
#define HIPPORT_PAIR(name, value, bits, operation)                                                       \
  template <int Order, int Scope>                                                                        \
  __device__ inline unsigned name(unsigned *at, unsigned by) {                                           \
    return word_updated<Order, Scope>(at, [=](unsigned x) {                                               \
      return bits(operation(value((unsigned short)x), value((unsigned short)by))) |                      \
             bits(operation(value((unsigned short)(x >> 16)), value((unsigned short)(by >> 16)))) << 16; \
    });                                                                                                  \
  }
#define HIPPORT_ONE(name, value, bits, operation)                                                                      \
  template <int Order, int Scope>                                                                                      \
  __device__ inline unsigned short name(unsigned short *at, unsigned short by) {                                       \
    return half_word_updated<Order, Scope>(at, [=](unsigned short x) { return bits(operation(value(x), value(by))); }); \
  }
__device__ inline float sum_of(float a, float b) { return a + b; }
HIPPORT_ONE(atomic_add_f16, f16_value, half_bits, sum_of) HIPPORT_PAIR(looped_add_f16x2, f16_value, half_bits, sum_of)
HIPPORT_ONE(atomic_min_f16, f16_value, half_bits, __builtin_fminf) HIPPORT_PAIR(atomic_min_f16x2, f16_value, half_bits, __builtin_fminf)
HIPPORT_ONE(atomic_max_f16, f16_value, half_bits, __builtin_fmaxf) HIPPORT_PAIR(atomic_max_f16x2, f16_value, half_bits, __builtin_fmaxf)
HIPPORT_ONE(atomic_add_bf16, bf16_value, bfloat_bits, sum_of) HIPPORT_PAIR(looped_add_bf16x2, bf16_value, bfloat_bits, sum_of)
HIPPORT_ONE(atomic_min_bf16, bf16_value, bfloat_bits, __builtin_fminf) HIPPORT_PAIR(atomic_min_bf16x2, bf16_value, bfloat_bits, __builtin_fminf)
HIPPORT_ONE(atomic_max_bf16, bf16_value, bfloat_bits, __builtin_fmaxf) HIPPORT_PAIR(atomic_max_bf16x2, bf16_value, bfloat_bits, __builtin_fmaxf)
#undef HIPPORT_PAIR
#undef HIPPORT_ONE
// gfx942 and gfx950 add a pair in one instruction, which orders nothing and reaches no other device.
typedef short short2_t __attribute__((ext_vector_type(2)));
template <int Order, int Scope>
__device__ inline unsigned atomic_add_f16x2(unsigned *at, unsigned by) {
#if defined(__gfx942__) || defined(__gfx950__)
  if (Order == __ATOMIC_RELAXED && Scope != __HIP_MEMORY_SCOPE_SYSTEM)
    return half2_bits(__builtin_amdgcn_flat_atomic_fadd_v2f16((half2_t *)at, half2_value(by)));
#endif
  return looped_add_f16x2<Order, Scope>(at, by);
}
template <int Order, int Scope>
__device__ inline unsigned atomic_add_bf16x2(unsigned *at, unsigned by) {
#if defined(__gfx942__) || defined(__gfx950__)
  if (Order == __ATOMIC_RELAXED && Scope != __HIP_MEMORY_SCOPE_SYSTEM)
    return __builtin_bit_cast(unsigned, __builtin_amdgcn_flat_atomic_fadd_v2bf16((short2_t *)at, __builtin_bit_cast(short2_t, by)));
#endif
  return looped_add_bf16x2<Order, Scope>(at, by);
}
template <int Order, int Scope>
__device__ inline float atomic_add_f32(float *at, float by) { return __hip_atomic_fetch_add(at, by, Order, Scope); }
#define HIPPORT_VECTOR(name, T)                                                   \
  template <int Order, int Scope, int N>                                          \
  __device__ inline vector<T, N> name(T *at, vector<T, N> by) {                   \
    vector<T, N> before;                                                          \
    for (int i = 0; i < N; ++i) before[i] = name<Order, Scope>(at + i, (T)by[i]); \
    return before;                                                                \
  }
HIPPORT_VECTOR(atomic_add_f32, float)
HIPPORT_VECTOR(atomic_add_f16, unsigned short) HIPPORT_VECTOR(atomic_min_f16, unsigned short) HIPPORT_VECTOR(atomic_max_f16, unsigned short)
HIPPORT_VECTOR(atomic_add_bf16, unsigned short) HIPPORT_VECTOR(atomic_min_bf16, unsigned short) HIPPORT_VECTOR(atomic_max_bf16, unsigned short)
HIPPORT_VECTOR(atomic_add_f16x2, unsigned) HIPPORT_VECTOR(atomic_min_f16x2, unsigned) HIPPORT_VECTOR(atomic_max_f16x2, unsigned)
HIPPORT_VECTOR(atomic_add_bf16x2, unsigned) HIPPORT_VECTOR(atomic_min_bf16x2, unsigned) HIPPORT_VECTOR(atomic_max_bf16x2, unsigned)
#undef HIPPORT_VECTOR
}  // namespace hipport
