// offers: atomic-bins atomic-bins atomic-bins atomic-bins atomic-bins float-atomic
// Bounds of other kinds: a shift, a minimum, a row of an array, a pointer that is cast; a type that adds in order.
#include <cstdint>
__device__ unsigned int spread[8][256];
__global__ void digits(const unsigned* __restrict__ keys, unsigned* counts, int n, int shift) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[keys[i] >> 28], 1u);
  }
}
__global__ void capped(const uint16_t* lengths, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const int length = lengths[i];
    atomicAdd(counts + min(length, 31), 1);
    i += blockDim.x * gridDim.x;
  }
}
__global__ void row(const int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&spread[blockIdx.x & 7][x[i] & 0xff], 1u);
}
__global__ void cast(const int* x, long long* counts, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned bin = x[i] * 7u + 3;
    if (bin < 50 && x[i] != 3) atomicAdd(reinterpret_cast<unsigned long long*>(&counts[bin]), 1ULL);
  }
}
__global__ void weights(const int* x, const float* w, float* sums, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&sums[x[i] & 15], w[i]);
}
