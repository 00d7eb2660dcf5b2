namespace hipport {
// What all threads of a block have, of any size and shape, together in thread 0. Every thread of the block calls it, and a
// barrier is needed before the next call of the same kind.
template <class T, class Op>
__device__ inline T block_total(T value, Op op) {
#if defined(__GFX9__)
  constexpr unsigned wave = 64;
#else
  constexpr unsigned wave = 32;
#endif
  __shared__ T partial[1024 / wave];
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z, waves = (threads + wave - 1) / wave;
  const unsigned lane = thread % wave, first = thread - lane;
  const unsigned here = threads - first < wave ? threads - first : wave;
  for (unsigned offset = wave / 2; offset > 0; offset /= 2) {
    const T other = __shfl_down(value, offset, (int)wave);
    if (lane + offset < here) value = op(value, other);
  }
  if (lane == 0) partial[thread / wave] = value;
  __syncthreads();
  if (thread < waves) value = partial[thread];
  if (thread < wave)
    for (unsigned offset = 512 / wave; offset > 0; offset /= 2) {
      const T other = __shfl_down(value, offset, (int)wave);
      if (lane + offset < waves) value = op(value, other);
    }
  return value;
}
__device__ inline bool block_first() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0; }
struct Added { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Least { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
struct Most { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct Either { template <class T> __device__ T operator()(T a, T b) const { return a | b; } };
struct Both { template <class T> __device__ T operator()(T a, T b) const { return a & b; } };
// One atomic a block, with what its threads have. Nothing is done for a sum of zero.
template <class T, class V>
__device__ inline void block_add(T* address, V value) {
  const V total = block_total(value, Added());
  if (block_first() && total != V(0)) atomicAdd(address, (T)total);
}
template <class T>
__device__ inline void block_min(T* address, T value) {
  const T total = block_total(value, Least());
  if (block_first()) atomicMin(address, total);
}
template <class T>
__device__ inline void block_max(T* address, T value) {
  const T total = block_total(value, Most());
  if (block_first()) atomicMax(address, total);
}
template <class T>
__device__ inline void block_or(T* address, T value) {
  const T total = block_total(value, Either());
  if (block_first() && total != T(0)) atomicOr(address, total);
}
template <class T>
__device__ inline void block_and(T* address, T value) {
  const T total = block_total(value, Both());
  if (block_first() && total != (T)~T(0)) atomicAnd(address, total);
}
}  // namespace hipport
