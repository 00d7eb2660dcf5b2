// offers: atomic-bins atomic-bins atomic-bins atomic-bins atomic-bins float-atomic
// Bounds of other kinds: a shift, a minimum, a row of an array, a pointer that is cast; a type that adds in order.
#include <cstdint>
__device__ unsigned int spread[8][256];
__global__ void digits(const unsigned* __restrict__ keys, unsigned* counts, int n, int shift) {
  __shared__ unsigned int hipport_bins[16];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&hipport_bins[keys[i] >> 28], 1u);
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, counts);
}
__global__ void capped(const uint16_t* lengths, int* counts, int n) {
  __shared__ int hipport_bins[32];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const int length = lengths[i];
    atomicAdd(&hipport_bins[min(length, 31)], 1);
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, counts);
}
__global__ void row(const int* x, int n) {
  __shared__ unsigned int hipport_bins[256];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&hipport_bins[x[i] & 0xff], 1u);
  __syncthreads();
  hipport::flush_bins(hipport_bins, spread[blockIdx.x & 7]);
}
__global__ void cast(const int* x, long long* counts, int n) {
  __shared__ unsigned long long hipport_bins[50];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned bin = x[i] * 7u + 3;
    if (bin < 50 && x[i] != 3) atomicAdd(&hipport_bins[bin], 1ULL);
  }
  __syncthreads();
  hipport::flush_bins(hipport_bins, (unsigned long long*)(counts));
}
__global__ void weights(const int* x, const float* w, float* sums, int n) {
  __shared__ float hipport_bins[16];
  hipport::clear_bins(hipport_bins);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&hipport_bins[x[i] & 15], w[i]);
  __syncthreads();
  hipport::flush_bins(hipport_bins, sums);
}
