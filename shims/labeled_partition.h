#include <hip/hip_cooperative_groups.h>
namespace hipport {
// The lanes of `group` with the same label, as one coalesced group each: a waterfall over the labels. Two tiles of one wave
// stay apart even where their labels are equal.
template <class Group>
__device__ inline cooperative_groups::coalesced_group labeled_partition(const Group &group, int label) {
  const unsigned size = group.size();
  const bool tile = (size & (size - 1)) == 0 && size < 64u && group.thread_rank() == (__lane_id() & (size - 1));
  const int tile_number = tile ? (int)(__lane_id() / size) : 0;
  cooperative_groups::coalesced_group found = cooperative_groups::coalesced_threads();
  bool done = false;
  while (__any(!done)) {
    if (!done) {
      if (label == __builtin_amdgcn_readfirstlane(label) && tile_number == __builtin_amdgcn_readfirstlane(tile_number)) {
        found = cooperative_groups::coalesced_threads();
        done = true;
      }
    }
  }
  return found;
}
}  // namespace hipport
