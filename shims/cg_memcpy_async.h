namespace cooperative_groups {
// memcpy_async, wait and wait_prior of CUDA: the group's threads copy, and wait is the group's barrier.
template <class Group>
__device__ inline void memcpy_async(const Group &group, void *to, const void *from, unsigned long long bytes) {
  const unsigned long long rank = group.thread_rank(), count = group.size();
  if (((unsigned long long)to | (unsigned long long)from | bytes) % 4 == 0)
    for (unsigned long long i = rank; i < bytes / 4; i += count) ((unsigned *)to)[i] = ((const unsigned *)from)[i];
  else
    for (unsigned long long i = rank; i < bytes; i += count) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
template <class Group, class T, class U>
__device__ inline void memcpy_async(const Group &group, T *to, unsigned long long room, const U *from, unsigned long long count) {
  const unsigned long long most = room * sizeof(T), bytes = count * sizeof(U);
  memcpy_async(group, (void *)to, (const void *)from, bytes < most ? bytes : most);
}
template <class Group>
__device__ inline void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group>
__device__ inline void wait_prior(const Group &group) { group.sync(); }
}  // namespace cooperative_groups
