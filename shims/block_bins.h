namespace hipport {
// The bins of a block in LDS: cleared before a barrier, and after one added to those in memory, but for zeros. Every
// thread of the block calls both; a block may have any size and shape.
template <class T, unsigned N>
__device__ inline void clear_bins(T (&bins)[N]) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; i < N; i += threads) bins[i] = T(0);
}
template <class T, unsigned N>
__device__ inline void flush_bins(const T (&bins)[N], T* memory) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; i < N; i += threads)
    if (bins[i] != T(0)) atomicAdd(memory + i, bins[i]);
}
}  // namespace hipport
