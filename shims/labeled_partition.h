#include <hip/hip_cooperative_groups.h>
namespace hipport {
// The lanes of `group` with the same label, as one coalesced group each: a waterfall over the labels. Groups of one wave stay
// apart where their labels are equal, and so do the two 32-lane warps of a wave in a group that holds both.
template <class Group>
__device__ inline cooperative_groups::coalesced_group labeled_partition(const Group &group, int label) {
  const int own = group.shfl((int)__lane_id(), 0) * 2 + (int)(__lane_id() >> 5);
  cooperative_groups::coalesced_group found = cooperative_groups::coalesced_threads();
  bool done = false;
  while (__any(!done)) {
    if (!done) {
      if (label == __builtin_amdgcn_readfirstlane(label) && own == __builtin_amdgcn_readfirstlane(own)) {
        found = cooperative_groups::coalesced_threads();
        done = true;
      }
    }
  }
  return found;
}
}  // namespace hipport
