namespace hipport {
// The 32-lane logical warp of CUDA on a wave of 32 or 64 lanes: lane numbers and 32-bit masks of the own half.
__device__ inline unsigned lane() { return __lane_id() & 31u; }
__device__ inline unsigned lanemask_eq() { return 1u << lane(); }
__device__ inline unsigned lanemask_lt() { return (1u << lane()) - 1u; }
__device__ inline unsigned lanemask_le() { return (2u << lane()) - 1u; }
__device__ inline unsigned lanemask_gt() { return ~1u << lane(); }
__device__ inline unsigned lanemask_ge() { return ~0u << lane(); }
__device__ inline unsigned ballot(int predicate) { return (unsigned)(__ballot(predicate) >> (__lane_id() & 32u)); }
__device__ inline unsigned activemask() { return ballot(1); }
// The functions that name their lanes: `mask` is CUDA's.
__device__ inline unsigned ballot(unsigned mask, int predicate) { return ballot(predicate) & mask; }
__device__ inline int any(unsigned mask, int predicate) { return ballot(mask, predicate) != 0; }
__device__ inline int all(unsigned mask, int predicate) { return ballot(mask, !predicate) == 0; }
// Values of 32 or 64 bits are matched by their bits, as in CUDA: a NaN equals itself, and -0.0 is not 0.0.
template <class T>
__device__ inline unsigned long long bits_of(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match takes values of 32 or 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
// A waterfall: each turn serves the lanes that hold the first one's value.
template <class T>
__device__ inline unsigned match_any(unsigned mask, T value) {
  const unsigned long long own = bits_of(value);
  unsigned equal = 0;
  bool done = false;
  while (__any(!done)) {
    if (!done) {
      const unsigned low = __builtin_amdgcn_readfirstlane((int)(unsigned)own);
      const unsigned high = __builtin_amdgcn_readfirstlane((int)(unsigned)(own >> 32));
      if (own == ((unsigned long long)high << 32 | low)) {
        equal = activemask();
        done = true;
      }
    }
  }
  return equal & mask;
}
template <class T>
__device__ inline unsigned match_all(unsigned mask, T value, int *same) {
  const unsigned long long own = bits_of(value);
  const unsigned members = mask & activemask();
  *same = all(members, __shfl(own, __builtin_ffs((int)members) - 1, 32) == own);
  return *same ? members : 0u;
}
}  // namespace hipport
