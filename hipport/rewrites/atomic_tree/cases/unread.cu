// What clang cannot read whole is told as text shows it.
// offers: atomic-tree
template <typename index_t>
__global__ void check(
    const pta::PackedTensorAccessor64<index_t, 1, at::RestrictPtrTraits> indices,
    pta::PackedTensorAccessor64<int64_t, 1, at::RestrictPtrTraits> warning,
    pta::PackedTensorAccessor64<int64_t, 1, at::RestrictPtrTraits> blocks) {
  for (int i = threadIdx.x; i < indices.size(0); i += blockDim.x) {
    if (indices[i] < 0) {
      gpuAtomicIncrement(&warning[0]);
    }
    if (indices[i] > 9) gpuAtomicAdd(&warning[0], 2);
  }
  if (threadIdx.x == 0) {
    gpuAtomicAdd(&blocks[0], 1);
  }
  const auto old = atomicAdd(&blocks[1], 1);
}
