// offers: float-atomic
__global__ void scatter(const float* src, const int* idx, float* dst, int* hits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(dst + idx[i], src[i]);
    atomicAdd(&dst[idx[i] + 1], src[i]);
    atomicAdd(hits + idx[i], 1);
  }
}
