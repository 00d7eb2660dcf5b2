// expect: barrier-divergence barrier-divergence barrier-divergence
// A type that clang does not know: the text decides, and nothing is rewritten.
__global__ void leaves(missing::type* x, int n) {
  if (threadIdx.x >= n) return;
  x[threadIdx.x] = missing::one();
  __syncthreads();
}
__global__ void skips(missing::type* x, int n) {
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x + k >= n) continue;
    x[threadIdx.x] = missing::one();
    __syncthreads();
  }
}
__global__ void breaks(missing::type* x, int n) {
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    x[threadIdx.x] = missing::one();
    if (threadIdx.x + k >= n) { break; }
  }
}
__global__ void fine(missing::type* x, int n) {
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      if (i == 3) continue;
      if (i == 4) break;
      x[i] = missing::one();
    }
    if (threadIdx.x >= n) continue;
    x[threadIdx.x] = missing::one();
  }
}
