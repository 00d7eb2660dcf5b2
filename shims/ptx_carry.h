namespace hipport {
// Sums and differences with the carry flag of PTX, which is a variable here. A borrow is a carry of 1.
template <class T>
__device__ inline T add_carry(T a, T b, unsigned in, unsigned &out) {
  typedef unsigned long long U;
  const U mask = sizeof(T) == 8 ? ~0ull : 0xffffffffull, x = (U)a & mask, y = (U)b & mask;
  const U part = (x + y) & mask, sum = (part + in) & mask;
  out = ((part < x) | (sum < part)) ? 1u : 0u;
  return (T)sum;
}
template <class T>
__device__ inline T add_carry_in(T a, T b, unsigned in) {
  unsigned out;
  return add_carry<T>(a, b, in, out);
}
template <class T>
__device__ inline T sub_borrow(T a, T b, unsigned in, unsigned &out) {
  typedef unsigned long long U;
  const U mask = sizeof(T) == 8 ? ~0ull : 0xffffffffull, x = (U)a & mask, y = (U)b & mask;
  const U part = (x - y) & mask;
  out = ((x < y) | (part < in)) ? 1u : 0u;
  return (T)((part - in) & mask);
}
template <class T>
__device__ inline T sub_borrow_in(T a, T b, unsigned in) {
  unsigned out;
  return sub_borrow<T>(a, b, in, out);
}
}  // namespace hipport
