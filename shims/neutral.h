namespace hipport {
// What changes nothing in a maximum or minimum: the ends of an integer's range, the infinities of a floating type, halves
// and bfloat16 too.
template <class T, bool Whole = __is_integral(T)>
struct range_ends {
  static __device__ T lowest() { return T(-__builtin_inff()); }
  static __device__ T highest() { return T(__builtin_inff()); }
};
template <class T>
struct range_ends<T, true> {
  static constexpr bool is_signed = T(-1) < T(1);
  static __device__ constexpr T highest() { return is_signed ? T(((T(1) << (sizeof(T) * 8 - 2)) - 1) * 2 + 1) : T(-1); }
  static __device__ constexpr T lowest() { return is_signed ? T(-highest() - 1) : T(0); }
};
template <>
struct range_ends<bool, true> {
  static __device__ constexpr bool highest() { return true; }
  static __device__ constexpr bool lowest() { return false; }
};
template <class T>
__device__ inline T lowest() { return range_ends<T>::lowest(); }
template <class T>
__device__ inline T highest() { return range_ends<T>::highest(); }
}  // namespace hipport
