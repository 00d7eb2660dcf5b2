namespace hipport {
// What an instruction of PTX writes as a value and a predicate.
struct value_and_flag { unsigned part[2]; __device__ unsigned operator[](int i) const { return part[i]; } };
// shfl: `limits` has the segment's mask in bits 8 to 12 and the clamp in bits 0 to 4. A lane whose source is out of them
// keeps its own value, and its flag is 0.
__device__ inline value_and_flag shuffled(unsigned value, int from, bool within) {
  const unsigned got = (unsigned)__shfl((int)value, within ? from : (int)(__lane_id() & 31u), 32);
  return {{got, within}};
}
__device__ inline int farthest(unsigned limits) {
  const unsigned segment = limits >> 8 & 31u;
  return (int)((__lane_id() & segment) | (limits & 31u & ~segment));
}
__device__ inline value_and_flag shuffle_up(unsigned value, unsigned by, unsigned limits) {
  const int from = (int)(__lane_id() & 31u) - (int)(by & 31u);
  return shuffled(value, from, from >= farthest(limits));
}
__device__ inline value_and_flag shuffle_down(unsigned value, unsigned by, unsigned limits) {
  const int from = (int)(__lane_id() & 31u) + (int)(by & 31u);
  return shuffled(value, from, from <= farthest(limits));
}
__device__ inline value_and_flag shuffle_bfly(unsigned value, unsigned by, unsigned limits) {
  const int from = (int)((__lane_id() & 31u) ^ (by & 31u));
  return shuffled(value, from, from <= farthest(limits));
}
__device__ inline value_and_flag shuffle_idx(unsigned value, unsigned by, unsigned limits) {
  const unsigned segment = limits >> 8 & 31u;
  const int from = (int)((__lane_id() & segment) | (by & 31u & ~segment));
  return shuffled(value, from, from <= farthest(limits));
}
// elect: the lowest lane of those that are here, and whether it is this one.
__device__ inline value_and_flag elected(unsigned mask) {
  const unsigned first = (unsigned)__builtin_ctz(activemask() & mask);
  return {{first, first == lane()}};
}
__device__ inline value_and_flag matched_all(unsigned mask, unsigned value) {
  int same;
  const unsigned members = match_all(mask, value, &same);
  return {{members, (unsigned)same}};
}
}  // namespace hipport
