namespace hipport {
// Reductions over `Width` consecutive lanes and over a block of any shape and size. Every lane gets the wave's result; the
// block's result is valid in thread 0. `partials` holds one T for each 32 threads of the block.
template <int Width = 32, class T, class Op>
__device__ inline T wave_reduce(T value, Op op) {
  for (int offset = Width / 2; offset > 0; offset >>= 1) value = op(value, __shfl_xor(value, offset, Width));
  return value;
}
template <class T, class Op>
__device__ inline T block_reduce(T value, T identity, Op op, T *partials) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned lane = thread & 31u, warp = thread >> 5, first = warp << 5;
  const unsigned here = threads - first < 32u ? threads - first : 32u;
  for (unsigned offset = 16; offset > 0; offset >>= 1) {
    T other = __shfl_down(value, offset, 32);
    if (lane + offset < here) value = op(value, other);
  }
  if (lane == 0) partials[warp] = value;
  __syncthreads();
  if (thread == 0)
    for (unsigned other = 1; other < (threads + 31u) / 32u; ++other) value = op(value, partials[other]);
  __syncthreads();
  return thread == 0 ? value : identity;
}
}  // namespace hipport
