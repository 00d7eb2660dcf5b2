namespace hipport {
namespace groups {
// The value of the lane that is `offset` ranks below; its own for a lane that has none.
template <class Group, class T>
__device__ inline T from_below(const Group &group, T value, unsigned offset) {
  const unsigned rank = group.thread_rank();
  return fetched(value, [&](int word) { return group.shfl(word, (int)(rank < offset ? rank : rank - offset)); });
}
template <class Group, class T, class Op>
__device__ inline T inclusive_scan(const Group &group, T value, Op op) {
  for (unsigned offset = 1; offset < group.size(); offset *= 2) {
    const T below = from_below(group, value, offset);
    if (group.thread_rank() >= offset) value = op(below, value);
  }
  return value;
}
template <class Group, class T>
__device__ inline T inclusive_scan(const Group &group, T value) { return inclusive_scan(group, value, plus<T>()); }
// As in CUDA the first lane has a value only where the operator adds.
template <class Group, class T, class Op>
__device__ inline T exclusive_scan(const Group &group, T value, Op op) {
  const T before = from_below(group, inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__device__ inline T exclusive_scan(const Group &group, T value) { return exclusive_scan(group, value, plus<T>()); }
template <class Group, class F, class... A>
__device__ inline void invoke_one(const Group &group, F &&function, A &&...arguments) {
  if (group.thread_rank() == 0) static_cast<F &&>(function)(static_cast<A &&>(arguments)...);
}
template <class Group, class F, class... A>
__device__ inline auto invoke_one_broadcast(const Group &group, F &&function, A &&...arguments)
    -> decltype(function(static_cast<A &&>(arguments)...)) {
  decltype(function(static_cast<A &&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = static_cast<F &&>(function)(static_cast<A &&>(arguments)...);
  return fetched(result, [&](int word) { return group.shfl(word, 0); });
}
}  // namespace groups
}  // namespace hipport
namespace cooperative_groups {
using hipport::groups::exclusive_scan;
using hipport::groups::inclusive_scan;
using hipport::groups::invoke_one;
using hipport::groups::invoke_one_broadcast;
}  // namespace cooperative_groups
