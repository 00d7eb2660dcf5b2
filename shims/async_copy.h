namespace hipport {
// cp.async and the __pipeline_* functions on a machine that copies to LDS through registers: the copy is done when the
// call returns, so that commit and wait only keep the compiler from moving accesses over them. As in CUDA another thread
// sees the data after a barrier. Of a copy of Bytes the first `size` are read, the rest becomes zero.
template <int Bytes> struct copied;
template <> struct copied<4> { typedef unsigned type; };
template <> struct copied<8> { typedef unsigned type __attribute__((ext_vector_type(2))); };
template <> struct copied<16> { typedef unsigned type __attribute__((ext_vector_type(4))); };
template <int Bytes>
__device__ inline void copy_async(void *to, const void *from) {
  typedef typename copied<Bytes>::type word;
  *(word *)to = *(const word *)from;
}
template <int Bytes>
__device__ inline void copy_async(void *to, const void *from, unsigned long long size) {
  if (size >= Bytes) return copy_async<Bytes>(to, from);
  unsigned char bytes[Bytes] = {};
  for (unsigned i = 0; i < Bytes; ++i)
    if (i < size) bytes[i] = ((const unsigned char *)from)[i];
  __builtin_memcpy(to, bytes, Bytes);
}
__device__ inline void copies_committed() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
__device__ inline void copies_awaited() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
__device__ inline void pipeline_memcpy_async(void *to, const void *from, unsigned long long size, unsigned long long zeros = 0) {
  if (size == 16) copy_async<16>(to, from, 16 - zeros);
  else if (size == 8) copy_async<8>(to, from, 8 - zeros);
  else copy_async<4>(to, from, 4 - zeros);
}
__device__ inline void pipeline_commit() { copies_committed(); }
__device__ inline void pipeline_wait_prior(unsigned long long) { copies_awaited(); }
}  // namespace hipport
