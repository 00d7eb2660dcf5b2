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
__device__ inline unsigned ballot_sync(unsigned mask, int predicate) { return ballot(predicate) & mask; }
__device__ inline int any_sync(unsigned mask, int predicate) { return ballot_sync(mask, predicate) != 0; }
__device__ inline int all_sync(unsigned mask, int predicate) { return ballot_sync(mask, !predicate) == 0; }
// Each value is fetched by a shuffle, lane by lane of the half: `value` may be of any type that HIP shuffles.
template <class T>
__device__ inline unsigned match_any_sync(unsigned mask, T value) {
  unsigned equal = 0;
  for (int source = 0; source < 32; ++source) {
    T other = __shfl(value, source, 32);
    equal |= (other == value ? 1u : 0u) << source;
  }
  return equal & mask & activemask();
}
template <class T>
__device__ inline unsigned match_all_sync(unsigned mask, T value, int *same) {
  unsigned members = mask & activemask();
  T first = __shfl(value, __builtin_ffs((int)members) - 1, 32);
  *same = all_sync(members, first == value);
  return *same ? members : 0u;
}
}  // namespace hipport
