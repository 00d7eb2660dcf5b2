namespace hipport {
// __reduce_*_sync of CUDA within the own 32 lanes. All active lanes that `mask` names call it with the same mask.
template <class T, class Op>
__device__ inline T reduce_lanes(unsigned mask, T value, Op op) {
  unsigned members = mask & (unsigned)(__ballot(1) >> (__lane_id() & 32u));
  if (members == 0xffffffffu) {
    for (int offset = 16; offset > 0; offset >>= 1) value = op(value, __shfl_xor(value, offset, 32));
    return value;
  }
  T result = __shfl(value, __builtin_ffs((int)members) - 1, 32);
  for (members &= members - 1; members; members &= members - 1)
    result = op(result, __shfl(value, __builtin_ffs((int)members) - 1, 32));
  return result;
}
template <class T>
__device__ inline T reduce_add(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return (T)(a + b); }); }
template <class T>
__device__ inline T reduce_min(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return b < a ? b : a; }); }
template <class T>
__device__ inline T reduce_max(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return a < b ? b : a; }); }
template <class T>
__device__ inline T reduce_and(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return (T)(a & b); }); }
template <class T>
__device__ inline T reduce_or(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return (T)(a | b); }); }
template <class T>
__device__ inline T reduce_xor(unsigned mask, T value) { return reduce_lanes(mask, value, [](T a, T b) { return (T)(a ^ b); }); }
}  // namespace hipport
