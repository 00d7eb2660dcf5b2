// offers: atomic-tree atomic-tree atomic-tree
// Kernels that clang cannot read: what their text shows is told. One thread that asks, and other questions, are not.
template <typename index_t>
__global__ void check(Accessor<int64_t, 1> rows, Accessor<index_t, 1> indices, Accessor<int64_t, 1> warning) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (indices[i] < 0) {
    if (gpuAtomicIncrement(&warning[0]) == 0) printf("below zero: %d\n", (int)indices[i]);
    indices[i] = 0;
  }
  if (indices[i] >= rows[0] && static_cast<int>(atomicAdd(reinterpret(&warning[1]), 0)) == 0) indices[i] = 1;
}
__global__ void asked_by_one(Accessor<int64_t, 1> warning, Accessor<int, 1> x) {
  if (threadIdx.x == 0 && gpuAtomicIncrement(&warning[0]) == 0) printf("first\n");
  if (threadIdx.x == 0) {
    if (gpuAtomicIncrement(&warning[1]) == 0) printf("first\n");
  }
  if (atomicAdd(&warning[2], 1) == gridDim.x - 1) x[0] = 1;
}
__global__ void seen(const int* x, int* warned, int* done, int n) {
  if (threadIdx.x == 0 && atomicAdd(warned, 1) == 0) printf("first\n");
  if (x[threadIdx.x] < 0 && atomicAdd(done, 1) == 0) printf("below zero\n");
}
__global__ void counts(Accessor<int64_t, 1> warning, Accessor<int, 1> x) {
  if (x[threadIdx.x] < 0) gpuAtomicIncrement(&warning[0]);
}
__global__ void moved(Accessor<int, 1> x, float* sums, int* total, const int* order) {
  sums += order[threadIdx.x];
  if (x[0] > 0) atomicAdd(sums, 1.0f);
  if (group.thread_rank() == 0) {
    if (x[1] > 0) atomicAdd(total, 1);
  }
  if (warpLane == 0) {
    if (x[2] > 0) atomicAdd(total, 2);
  }
  if (lid == kThreads - 1) atomicAdd(total, 3);
}
