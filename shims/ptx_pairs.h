namespace hipport {
// Two floats in one 64-bit register of PTX, the first in the low half: each part on its own.
template <class F>
__device__ inline unsigned long long each_float(unsigned long long a, unsigned long long b, F of) {
  const float low = of(__uint_as_float((unsigned)a), __uint_as_float((unsigned)b));
  const float high = of(__uint_as_float((unsigned)(a >> 32)), __uint_as_float((unsigned)(b >> 32)));
  return (unsigned long long)__float_as_uint(high) << 32 | __float_as_uint(low);
}
template <class F>
__device__ inline unsigned long long each_float(unsigned long long a, unsigned long long b, unsigned long long c, F of) {
  const float low = of(__uint_as_float((unsigned)a), __uint_as_float((unsigned)b), __uint_as_float((unsigned)c));
  const float high = of(__uint_as_float((unsigned)(a >> 32)), __uint_as_float((unsigned)(b >> 32)), __uint_as_float((unsigned)(c >> 32)));
  return (unsigned long long)__float_as_uint(high) << 32 | __float_as_uint(low);
}
}  // namespace hipport
